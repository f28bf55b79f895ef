import { partsOf, type Part } from '../message.ts'
import { ref } from '../ref.ts'
import { changeStrings } from './change-strings.ts'
import { isUncommon, redacted, redactedShort, type Secret } from './secret.ts'
import type { Entry, Ref } from '../entry.ts'

/** Something that is not the secret as far as anyone can tell, but looks like it. */
export interface NearMiss {
  ref: Ref
  why: 'a piece of it' | 'its letters, in another case or with something between them'
}

/** The places in an entry that look like the secret and don't hold it. */
export function nearMisses(entry: Entry, secret: Secret): NearMiss[] {
  const [text] = secret.texts
  // Of a text as long as a file, every line would be a piece.
  if (text === undefined || text.length > 1_000) return []
  return placesOf(entry).flatMap(({ ref, value }): NearMiss[] => {
    const why = resemblance(value, text)
    return why ? [{ ref, why }] : []
  })
}

function placesOf(entry: Entry): { ref: Ref; value: unknown }[] {
  if (entry.kind !== 'message') return [{ ref: ref(entry.seq), value: entry }]
  const parts = partsOf(entry.message)
  return parts.map((value, part) => ({ ref: ref(entry.seq, part), value }))
}

function resemblance(value: unknown, secret: string): NearMiss['why'] | undefined {
  let found: NearMiss['why'] | undefined
  changeStrings({ input: value }, (text) => {
    found ??= likeness(text, secret)
    return text
  })
  return found
}

function likeness(text: string, secret: string): NearMiss['why'] | undefined {
  if (text === redacted || text === redactedShort || text.length < 6) return undefined
  if (sharesPiece(text, secret)) return 'a piece of it'
  const bare = bareOf(secret)
  if (bare.length >= 6 && mayHold(text, bare) && bareOf(text).includes(bare)) {
    return 'its letters, in another case or with something between them'
  }
  return undefined
}

/** Whether at least half of the secret stands in the text, in a row, and not as a common word. */
function sharesPiece(text: string, secret: string): boolean {
  const least = Math.max(8, Math.ceil(secret.length / 2))
  const block = Math.ceil(least / 2)
  for (let at = 0; at + block <= secret.length; at += block) {
    const piece = secret.slice(at, at + block)
    for (let found = text.indexOf(piece); found !== -1; found = text.indexOf(piece, found + 1)) {
      const shared = sharedAround(text, found, secret, at, block)
      if (
        shared.length >= least &&
        (isUncommon(shared) || shared.length * 3 >= secret.length * 2)
      ) {
        return true
      }
    }
  }
  return false
}

function sharedAround(
  text: string,
  found: number,
  secret: string,
  at: number,
  length: number,
): string {
  let before = 0
  while (before < at && before < found && text[found - before - 1] === secret[at - before - 1]) {
    before += 1
  }
  let after = length
  while (at + after < secret.length && text[found + after] === secret[at + after]) after += 1
  return secret.slice(at - before, at + after)
}

function bareOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

/** Whether the text holds the first and the last letters at all; most don't. */
function mayHold(text: string, bare: string): boolean {
  const any = (letter: string): boolean =>
    text.includes(letter) || text.includes(letter.toUpperCase())
  return [...new Set(bare)].every(any)
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
