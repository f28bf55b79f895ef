import { partsOf, type Part } from '../message.ts'
import { ref } from '../ref.ts'
import { changeStrings } from './change-strings.ts'
import { eachReading } from './find-secret.ts'
import { redacted, redactedShort } from './secret.ts'
import type { Likeness, Resemblance } from './likeness.ts'
import type { Entry, Ref } from '../entry.ts'

/** Something that is not the secret as far as anyone can tell, but looks like it or may hold it. */
export interface NearMiss {
  ref: Ref
  why: Resemblance
}

/** The places in an entry that look like the secret and don't hold it, or that may hold it unseen. */
export function nearMisses(entry: Entry, likeness: Likeness | undefined): NearMiss[] {
  if (!likeness) return []
  return placesOf(entry).flatMap(({ ref, value }): NearMiss[] => {
    const why = resemblance(value, likeness)
    return why ? [{ ref, why }] : []
  })
}

function placesOf(entry: Entry): { ref: Ref; value: unknown }[] {
  if (entry.kind !== 'message') return [{ ref: ref(entry.seq), value: entry }]
  const parts = partsOf(entry.message)
  return parts.map((value, part) => ({ ref: ref(entry.seq, part), value }))
}

function resemblance(value: unknown, likeness: Likeness): Resemblance | undefined {
  let found: Resemblance | undefined
  changeStrings({ input: value }, (text) => {
    if (text === redacted || text === redactedShort || text.length < 6) return text
    eachReading(text, (reading) => {
      found ??= likeness(reading)
    })
    return text
  })
  return found
}

/** The parts that nobody looked into: what they show is in no text. */
export function unreadParts(entry: Entry): Ref[] {
  if (entry.kind !== 'message') return []
  return partsOf(entry.message).flatMap((part, index) =>
    isUnread(part) ? [ref(entry.seq, index)] : [],
  )
}

function isUnread(part: Part): boolean {
  switch (part.type) {
    case 'image':
      return true
    case 'file':
    case 'reasoning-file':
      return !/^text\/|json|xml|yaml|javascript/.test(part.mediaType)
    case 'tool-result':
      return (
        part.output.type === 'content' &&
        part.output.value.some(({ type, text }) => type !== 'text' && text === undefined)
      )
    default:
      return false
  }
}
