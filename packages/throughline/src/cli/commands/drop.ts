import { contextOf } from '../../log/context/context.ts'
import { parseRef } from '../../log/ref.ts'
import { measureItems } from '../../compaction/measure/measure.ts'
import { planDrop } from '../../compaction/prune/drop.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { prunedItems } from '../../log/context/items-of.ts'
import { policyOf } from '../../config/policy-of.ts'
import { readStored } from '../../formats/stored/read-stored.ts'
import { counterOf } from '../../tokens/counter.ts'
import { ratioOf } from '../sizes/real-counter.ts'
import { argument, restOf, type Command, type ParsedArguments } from '../command.ts'
import { usage } from '../parse-arguments.ts'
import { jsonOption, storedSessionArgument, storeOptions } from '../shared-options.ts'
import { onStored, type Found } from '../store/session-work.ts'
import { shownName } from '../store/shown-name.ts'
import { counted, withThousands } from '../terminal/numbers.ts'
import { whileWriting } from '../terminal/status-line.ts'
import type { Ref } from '../../log/entry.ts'
import type { Io } from '../io.ts'
import type { Result } from '../store/result.ts'

export const dropCommand: Command = {
  name: 'drop',
  description: [
    'Removes messages from what the model sees of a stored session, such as a wrong turn or a huge output. A line with its ref replaces each message. An assistant’s message is dropped together with the results of its calls, and a call together with its result. Nothing is lost: the record keeps everything, and undo brings it back.',
    'The latest request, the newest step and what is pinned stay.',
  ],
  arguments: [
    storedSessionArgument,
    { name: 'ref', give: 'the number of a message or of a part of it: 12 or 12.0', rest: true },
  ],
  options: [jsonOption, ...storeOptions],
  examples: [
    { command: 'throughline drop made 160', does: 'Drop an answer and the results of its calls.' },
    { command: 'throughline show made --log', does: 'See the refs of all entries.' },
  ],
  run: (parsed, io) => {
    const refs = refsIn(parsed)
    return onStored('drop', parsed, io, (found) => drop(found, refs, io))
  },
}

/** @throws UsageError */
function refsIn(parsed: ParsedArguments): Ref[] {
  argument(parsed, 'session')
  return restOf(parsed, 'ref').map((word) => {
    const ref = word.replace(/^\[(.*)\]$/, '$1')
    if (parseRef(ref)) return ref as Ref
    throw usage(
      'drop',
      `a ref is the number of an entry or of a part of it, such as 12 or 12.0, not ${JSON.stringify(word.slice(0, 40))}`,
    )
  })
}

async function drop(
  { store, stored, configuration }: Found,
  refs: readonly Ref[],
  io: Io,
): Promise<Result> {
  const { log, facts } = await readStored(store, stored.id)
  const context = contextOf(log)
  const counter = counterOf({ ratio: ratioOf({ log, facts }) })
  const draft = planDrop({ context, counter, refs, now: Date.now() })
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
    json: { session: stored.id, dropped, entry: seq + 1, tokens: { before, after } },
    lines: [
      `Dropped ${counted(dropped.length, 'part')} from what the model sees of ${name}: ${withThousands(before)} → ${withThousands(after)} tokens.`,
      `To take it back: throughline undo ${name}`,
    ],
  }
}
