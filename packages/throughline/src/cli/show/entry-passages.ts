import { entryPassages, partPassage, sayerOf, type Passage } from '../transcript/passages.ts'
import { sanitize } from '../../log/sanitize.ts'
import { messageText } from '../../log/message-text.ts'
import { entryText } from './entry-text.ts'
import type { Entry, EntryOf } from '../../log/entry.ts'
import type { Part } from '../../log/message.ts'

/** An entry as a whole, whatever it is. */
export function wholeEntry(entry: Entry): Passage[] {
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
export function wholePart(entry: EntryOf<'message'>, part: Part): Passage {
  return partPassage(part, sayerOf(entry)) ?? note(JSON.stringify(part))
}

function note(text: string): Passage {
  return { kind: 'note', text: sanitize(text) }
}
