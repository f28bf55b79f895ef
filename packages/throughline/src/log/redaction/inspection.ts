import { nearMisses, unreadParts, type NearMiss } from './near-misses.ts'
import { Splits } from './split-secret.ts'
import type { Entry, Ref, Seq } from '../entry.ts'
import type { Redaction } from './redaction.ts'

/**
 * What a log holds of a secret, before and after it is removed. Entries are looked into in the
 * order of the log.
 */
export class Inspection {
  readonly #redaction: Redaction
  readonly #splits: Splits
  readonly #held = new Set<Seq>()
  readonly #near: NearMiss[] = []
  readonly #unread: Ref[] = []
  #upTo: Seq = 0

  constructor(redaction: Redaction) {
    this.#redaction = redaction
    this.#splits = new Splits(redaction.secret)
  }

  look(entry: Entry): void {
    this.#splits.add(entry)
    const clean = this.#redaction(entry)
    if (clean) this.#held.add(entry.seq)
    this.#near.push(...nearMisses(clean ?? entry, this.#redaction.secret))
    this.#unread.push(...unreadParts(entry))
    this.#upTo = entry.seq
  }

  /** The newest entry that was looked into. */
  get upTo(): Seq {
    return this.#upTo
  }

  /** The entries that hold the secret or a piece of it. */
  get seqs(): Seq[] {
    const { cuts } = this.#splits
    return [...new Set([...this.#held, ...cuts.keys()])].sort((one, other) => one - other)
  }

  /** What looks like the secret and stays; pieces that are removed are none. */
  get near(): NearMiss[] {
    const { cuts } = this.#splits
    return this.#near.filter(({ ref }) => !cuts.has(Number.parseInt(ref, 10)))
  }

  /** What nobody could look into: images, and files that are no text. */
  get unread(): Ref[] {
    return this.#unread
  }

  /** The entry without the secret and without pieces of it. */
  change(entry: Entry): Entry | undefined {
    const { cuts } = this.#splits
    return cuts.has(entry.seq) ? this.#redaction.cutting(entry, cuts) : this.#redaction(entry)
  }
}

/** How a text to redact may be written: what is looked for, for people. */
export const formsLookedFor: readonly string[] = [
  'as it is',
  'escaped (JSON, JavaScript, shells, SQL, CSV)',
  'in URLs and forms',
  'in HTML and XML',
  'in base64 and hexadecimal, at any offset, and as a list of bytes',
  'in UTF-16',
  'with colors, invisible characters or line breaks in it',
  'over several parts, messages or pieces of a stream',
  'in any of these within another',
]

/** What nobody can find, for people. */
export const cannotBeFound =
  'It cannot be found where it is compressed or encrypted (archives, PDF files), in images and sound, or spelled in another way.'
