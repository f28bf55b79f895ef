import { entryAt } from '../../../log/order.ts'
import { chronological } from '../../../log/order.ts'
import { RefNotFoundError } from '../../../log/ref.ts'
import { partsOf } from '../../../log/message.ts'
import { type Part } from '../../../log/message.ts'
import { parseRef } from '../../../log/ref.ts'
import { parseForeignRef } from '../../../log/source.ts'
import { formatOf } from '../../../formats/stored/facts.ts'
import { storedFacts } from '../../../formats/stored/stored-facts.ts'
import { usage } from '../../parse-arguments.ts'
import { safeJson } from '../../output/safe-json.ts'
import { inStore } from '../../store/open-store.ts'
import { readChosen } from '../../source/read-session.ts'
import { asText } from '../../transcript/as-text.ts'
import { painted } from '../../transcript/painted.ts'
import { entryJson } from './show-json.ts'
import { headOf } from './views.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { Entry, Seq, EntryOf } from '../../../log/entry.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { ChosenSession } from '../../source/choose-session.ts'
import type { Io } from '../../io.ts'
import { entryPassages, partPassage, sayerOf, type Passage } from '../../transcript/passages.ts'
import { sanitize } from '../../../log/sanitize.ts'
import { messageText } from '../../../log/message-text.ts'
import { entryText } from './entry-text.ts'

/** What a ref names: a whole entry, or a part of a message. */
export interface Named {
  ref: string
  session: Pick<SessionInput, 'name' | 'stored' | 'format' | 'facts'>
  entry: Entry
  part?: Part
}

/**
 * Reads what a ref names; of a stored session that and nothing else.
 * @throws UsageError, RefNotFoundError
 */
export async function readNamed(
  ref: string,
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
): Promise<Named> {
  const parsed = parseRef(ref)
  if (!parsed && parseForeignRef(ref)) {
    throw usage('show', `${ref} is a ref into another session: throughline recall follows it`)
  }
  if (!parsed) {
    const shown = JSON.stringify(ref.slice(0, 40))
    throw usage(
      'show',
      `a ref is the number of an entry or of a part of it, such as 12 or 12.0, not ${shown}`,
    )
  }
  const { session, newest } = await readAround(parsed.seq, chosen, configuration, io)
  const entry = entryAt(session.log, parsed.seq)
  if (!entry) throw new RefNotFoundError({ ref, newest })
  if (parsed.part === undefined) return { ref, session, entry }
  const part = entry.kind === 'message' ? partsOf(entry.message)[parsed.part] : undefined
  if (!part) throw new RefNotFoundError({ ref, newest })
  return { ref, session, entry, part }
}

/** A session with as much of its log as an entry needs. */
async function readAround(
  seq: Seq,
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
): Promise<{ session: Omit<SessionInput, 'skipped' | 'skippedCount'>; newest: Seq }> {
  if (chosen.type !== 'stored') {
    const session = await readChosen(chosen, configuration, io)
    return { session, newest: session.log.at(-1)?.seq ?? 0 }
  }
  const { id, newest } = chosen.session
  return inStore(configuration, io, async (store) => {
    const facts = await storedFacts(store, chosen.session)
    const log = chronological(await store.read(id, { seqs: [seq] }))
    return { session: { name: id, stored: id, format: formatOf(facts), facts, log }, newest }
  })
}

/** What a ref names, as a reader sees it. */
export function namedText({ entry, part }: Named, io: Io): string {
  const passages = part && entry.kind === 'message' ? [wholePart(entry, part)] : wholeEntry(entry)
  return painted(asText(passages), io)
}

/** The same as JSON. */
export function namedJson({ ref, session, entry, part }: Named): string {
  const whole: unknown = JSON.parse(entryJson(entry))
  const what = part ? { part } : { entry: whole }
  return `${safeJson({ version: 1, ...headOf(session), ref, ...what })}\n`
}

/** An entry as a whole, whatever it is. */
function wholeEntry(entry: Entry): Passage[] {
  switch (entry.kind) {
    case 'message':
      return entryPassages(entry)
    case 'checkpoint': {
      const { continuation } = entry
      const goesOn = continuation ? [note(messageText(continuation.message))] : []
      return [note(entryText(entry)), { kind: 'summary', text: sanitize(entry.summary) }, ...goesOn]
    }
    case 'prune':
      return entry.replacements.map((replacement) => ({
        ...note('input' in replacement ? JSON.stringify(replacement.input) : replacement.text),
        ref: replacement.ref,
      }))
    case 'pin':
      return [note(entry.text)]
    default:
      return [note(entryText(entry))]
  }
}

/** A part of a message as a whole; as JSON if it has no text of its own. */
function wholePart(entry: EntryOf<'message'>, part: Part): Passage {
  return partPassage(part, sayerOf(entry)) ?? note(JSON.stringify(part))
}

function note(text: string): Passage {
  return { kind: 'note', text: sanitize(text) }
}
