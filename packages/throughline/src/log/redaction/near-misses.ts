import { partsOf, type Part } from '../message.ts'
import { ref } from '../ref.ts'
import { without, type Sight } from './find-secret.ts'
import type { Likeness, Resemblance } from './likeness.ts'
import type { Reading, Stretch } from './reading.ts'
import type { Secret } from './secret.ts'
import type { Entry, Ref } from '../entry.ts'

/** Something that is not the secret as far as anyone can tell, but looks like it or may hold it. */
export interface NearMiss {
  ref: Ref
  why: Resemblance
}

/** Notes what looks like a secret in texts that do not hold it. */
export class Watch implements Sight {
  readonly #likeness: Likeness
  #seen: Resemblance | undefined
  #shown: Stretch[] = []
  why: Resemblance | undefined
  /** The stretches of the secret's letters that may be common words. */
  readonly parts: Stretch[] = []

  constructor(likeness: Likeness) {
    this.#likeness = likeness
  }

  see(reading: Reading): void {
    this.#seen ??= this.#likeness.of(reading, (part) => this.#shown.push(part))
  }

  end(isFound: boolean): void {
    if (!isFound) {
      this.why ??= this.#seen
      this.parts.push(...this.#shown)
    }
    this.#seen = undefined
    this.#shown = []
  }
}

/** The places in an entry that look like the secret and don't hold it, or that may hold it unseen. */
export function nearMisses(entry: Entry, secret: Secret, likeness: Likeness): NearMiss[] {
  return placesOf(entry).flatMap(({ ref, value }): NearMiss[] => {
    const watch = new Watch(likeness)
    without({ input: value }, secret, watch)
    return watch.why ? [{ ref, why: watch.why }] : []
  })
}

/** The parts of a message, and whatever else an entry holds. */
function placesOf(entry: Entry): { ref: Ref; value: unknown }[] {
  if (entry.kind !== 'message') return [{ ref: ref(entry.seq), value: entry }]
  const parts = partsOf(entry.message)
  const others = { ...entry, message: { ...entry.message, content: '' } }
  return [
    ...parts.map((value, part) => ({ ref: ref(entry.seq, part), value })),
    { ref: ref(entry.seq), value: others },
  ]
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
