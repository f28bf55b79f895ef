import { contextOf } from '../../log/context/context.ts'
import { parseRef } from '../../log/ref.ts'
import { measureItems } from '../../compaction/measure/measure.ts'
import { planDrop, type DropProblem, type SeqRange } from '../../compaction/prune/drop.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { prunedItems } from '../../log/context/items-of.ts'
import { policyOf } from '../../config/policy-of.ts'
import { readStored } from '../../formats/stored/read-stored.ts'
import { counterOf } from '../../tokens/counter.ts'
import { ratioOf } from '../sizes/real-counter.ts'
import { restOf, type Command, type ParsedArguments } from '../command.ts'
import { usage } from '../parse-arguments.ts'
import { jsonOption, storedSessionArgument, storeOptions } from '../shared-options.ts'
import { bareRef, notRef, seqRanges } from '../store/seqs.ts'
import { onStored, type Found } from '../store/session-work.ts'
import { shownName } from '../store/session-name.ts'
import { counted, withThousands } from '../terminal/numbers.ts'
import { whileWriting } from '../terminal/status-line.ts'
import type { Ref } from '../../log/entry.ts'
import type { Io } from '../io.ts'
import type { Result } from '../store/result.ts'

export const dropCommand: Command = {
  name: 'drop',
  description: [
    'Removes messages from what the model sees of a stored session, such as a wrong turn or a huge output. Each message is replaced by one line with its ref. An assistant’s message is dropped together with the results of its calls, and a call together with its result. A range such as 12-20 stands for all entries in it. Nothing is lost: the record keeps everything, and undo brings back all that one command dropped.',
    'The latest request, the newest step and pinned messages cannot be dropped. A range skips them; if you name one of them alone, the command refuses.',
  ],
  arguments: [
    storedSessionArgument,
    {
      name: 'ref',
      give: 'the number of a message or of a part of it, 12 or 12.0, or a range: 12-20',
      rest: true,
    },
  ],
  options: { ...jsonOption, ...storeOptions },
  examples: {
    'throughline drop made 160': 'Drop an answer and the results of its calls.',
    'throughline drop made 150-158 160':
      'Drop a stretch and one more message; one undo brings back both.',
    'throughline report --log made': 'See the refs of all entries.',
  },
  run: (parsed, io) => {
    const named = namedIn(parsed)
    return onStored('drop', parsed, io, (found) => drop(found, named, io))
  },
}

/** What the words after the session name. */
interface Named {
  refs: readonly Ref[]
  ranges: readonly SeqRange[]
}

const refHelp = ['a ref is', ', or a range such as 12-20'] as const

/** @throws UsageError */
function namedIn(parsed: ParsedArguments): Named {
  const refs: Ref[] = []
  const ranges: SeqRange[] = []
  // As `report --history` and the summaries print them: `[12.0]`, `1–3, 7`.
  const words = restOf(parsed, 'ref').flatMap((word) =>
    word.split(',').map((each) => bareRef(each.trim())),
  )
  for (const word of words.filter((each) => each !== '')) {
    const range = rangeIn(word)
    if (range) ranges.push(range)
    else if (parseRef(word)) refs.push(word as Ref)
    else throw notRef('drop', word, ...refHelp)
  }
  if (refs.length + ranges.length === 0) throw notRef('drop', '', ...refHelp)
  return { refs, ranges }
}

/** @throws UsageError */
function rangeIn(word: string): SeqRange | undefined {
  const ends = /^(\d{1,15})\s*(?:-|–|\.\.)\s*(\d{1,15})$/.exec(word)
  if (!ends) return undefined
  const range = { from: Number(ends[1]), through: Number(ends[2]) }
  if (range.from <= range.through) return range
  throw usage(
    'drop',
    `the range ${word} ends before it begins; write ${range.through}-${range.from}`,
  )
}

const whyItStays: Readonly<Record<DropProblem, string>> = {
  newest: 'the latest request or the newest step',
  pinned: 'pinned',
  gone: 'not seen by the model anymore',
  small: 'no larger than the line in its place',
}

/** What of the ranges was passed over, and why. */
function staysText(stays: readonly { ref: Ref; problem: DropProblem }[]): string | undefined {
  const texts = Object.entries(whyItStays).flatMap(([problem, why]) => {
    const seqs = stays.filter((each) => each.problem === problem).map(({ ref }) => Number(ref))
    return seqs.length === 0 ? [] : [`${seqRanges(seqs)} (${why})`]
  })
  return texts.length === 0 ? undefined : `Stays: ${texts.join('; ')}.`
}

async function drop(
  { store, stored, configuration }: Found,
  named: Named,
  io: Io,
): Promise<Result> {
  const { log, facts } = await readStored(store, stored.id)
  const context = contextOf(log)
  const counter = counterOf({ ratio: ratioOf({ log, facts }) })
  const { draft, stays } = planDrop({ context, counter, ...named, now: Date.now() })
  const role = summaryRoleOf(policyOf(configuration, facts.model))
  const before = measureItems(context.items, counter, role)
  const after = measureItems(prunedItems(context, draft, log), counter, role)
  const { seq = 0, at = 0 } = log.at(-1) ?? {}
  await whileWriting(io, 'dropping', () =>
    store.append(stored.id, [draft], { newest: seq, holds: { seq, at } }),
  )
  const name = shownName(stored.id)
  const dropped = draft.replacements.map(({ ref }) => ref)
  return {
    json: { session: stored.id, dropped, stays, entry: seq + 1, tokens: { before, after } },
    lines: [
      `Dropped ${counted(dropped.length, 'part')} from what the model sees of ${name}: ${withThousands(before)} → ${withThousands(after)} tokens.`,
      staysText(stays),
      `To take it back: throughline undo ${name}`,
    ],
  }
}
