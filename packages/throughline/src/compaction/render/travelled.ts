import { mapOwnRefs, mapRefNotes } from './own-refs.ts'
import { readSourceLine, readSources } from '../../log/source.ts'
import { type Sources, type CheckpointDraft } from '../../log/entry.ts'
import { changeStrings } from '../../log/redaction/change-strings.ts'
import type { Message } from '../../log/message.ts'

/**
 * A summary that came from another log: its sources are known again, and a ref that names none is
 * left out, for in this log it would read back something else. Whether it is ours, the caller knows.
 */
export function travelledSummary(text: string): Pick<CheckpointDraft, 'summary' | 'metadata'> {
  const sources = readSources(text)
  const summary = mapOwnRefs(text, () => undefined)
  const named = Object.keys(sources).length === 0 ? {} : { sources }
  return { summary, metadata: named }
}

/** The sources that a message does nothing but name. */
export function travelledNote(text: string): Sources | undefined {
  const [first = ''] = text.split('\n', 1)
  if (readSourceLine(first) === undefined) return undefined
  const only = text.split('\n').every((line) => readSourceLine(line) !== undefined)
  return only ? readSources(text) : undefined
}

/**
 * A message that came from another log, without the refs in what stood for its parts there. The
 * very same message where there are none.
 */
export function withoutBareRefs<M extends Message>(message: M): M {
  return changeStrings(message, (text) => mapRefNotes(text, () => undefined))
}
