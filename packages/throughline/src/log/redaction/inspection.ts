import { nearMisses, unreadParts, Watch, type NearMiss } from './near-misses.ts'
import { without } from './find-secret.ts'
import { likenessTo, type Likeness } from './likeness.ts'
import { withoutSealed } from '../context/provider-compaction.ts'
import { withoutSealedNotes, withoutSealedReasoning } from './sealed-reasoning.ts'
import { redacted } from './secret.ts'
import { Splits } from './split-secret.ts'
import { ref } from '../ref.ts'
import type { Reading, Stretch } from './reading.ts'
import type { Secret } from './secret.ts'
import type { Entry, Ref, Seq } from '../entry.ts'
import type { Redaction } from './redaction.ts'

/** What an entry shows of a secret: stretches of its letters, or all of it, which is removed. */
interface Around {
  seq: Seq
  parts: readonly Stretch[]
  isHeld: boolean
}

/** A secret may be spread over this many entries, such as calls and results. */
const neighborhood = 6
const piece = 'a piece of it'

/**
 * What a log holds of a secret, before and after it is removed. Entries are looked into in the
 * order of the log.
 */
export class Inspection {
  readonly #redaction: Redaction
  readonly #splits: Splits
  readonly #likeness: Likeness | undefined
  readonly #held = new Set<Seq>()
  readonly #near: NearMiss[] = []
  readonly #unread: Ref[] = []
  readonly #sealed: Seq[] = []
  readonly #reasoning: Seq[] = []
  #around: Around[] = []
  readonly #parts = new Set<Seq>()
  #upTo: Seq = 0

  constructor(redaction: Redaction) {
    this.#redaction = redaction
    this.#splits = new Splits(redaction.secret)
    this.#likeness = likenessTo(redaction.secret)
  }

  look(entry: Entry): void {
    this.#splits.add(entry)
    const watch = this.#likeness && new Watch(this.#likeness)
    const clean = this.#redaction.cutting(entry, undefined, watch)
    if (clean) this.#held.add(entry.seq)
    if (watch?.why) this.#near.push(...this.#nearMisses(entry, clean))
    if (watch) this.#lookAround({ seq: entry.seq, isHeld: clean !== undefined, parts: watch.parts })
    this.#unread.push(...unreadParts(entry))
    if (withoutBlock(entry) !== entry) this.#sealed.push(entry.seq)
    if (withoutSeals(entry) !== entry) this.#reasoning.push(entry.seq)
    this.#upTo = entry.seq
  }

  #nearMisses(entry: Entry, clean: Entry | undefined): NearMiss[] {
    if (!this.#likeness) return []
    const { secret } = this.#redaction
    const near = nearMisses(clean ?? entry, secret, this.#likeness)
    // Pieces are cut out of what the engine wrote, and their ends may be left.
    const isCut = near.length === 0 && clean && holdsTrace(clean, secret, this.#likeness)
    return isCut ? [{ ref: ref(entry.seq), why: piece }] : near
  }

  /** Words of the secret are no chance next to the rest of it. */
  #lookAround(entry: Around): void {
    const { seq, isHeld, parts } = entry
    if (!isHeld && parts.length === 0) return
    this.#around = [...this.#around.filter((one) => seq - one.seq <= neighborhood), entry]
    const all = this.#around.flatMap((one) => one.parts)
    const isWhole = (this.#likeness?.letters ?? 0) / 1.5 <= covered(all)
    if (!isWhole && !this.#around.some((one) => one.isHeld)) return
    for (const one of this.#around) if (one.parts.length > 0) this.#parts.add(one.seq)
  }

  /** The newest entry that was looked into. */
  get upTo(): Seq {
    return this.#upTo
  }

  /** The entries that hold the secret or a piece of it, or may hold it. */
  get seqs(): Seq[] {
    const { cuts } = this.#splits
    const all = new Set([...this.#held, ...cuts.keys(), ...this.sealed, ...this.reasoning])
    return [...all].sort((one, other) => one - other)
  }

  /**
   * The entries with what a provider compacted and only it can read. It was made from a log that
   * holds the secret, so it may hold it too.
   */
  get sealed(): readonly Seq[] {
    return this.#isFound ? this.#sealed : []
  }

  /** The same of reasoning that only its provider can read. */
  get reasoning(): readonly Seq[] {
    return this.#isFound ? this.#reasoning : []
  }

  get #isFound(): boolean {
    return this.#held.size > 0 || this.#splits.cuts.size > 0
  }

  /** What looks like the secret and stays; pieces that are removed are none. */
  get near(): NearMiss[] {
    const { cuts } = this.#splits
    const named = new Set(this.#near.map(seqOf))
    const parts = [...this.#parts].filter((seq) => !named.has(seq))
    const near = [...this.#near, ...parts.map((seq): NearMiss => ({ ref: ref(seq), why: piece }))]
    return near.filter((one) => !cuts.has(seqOf(one))).sort((a, b) => seqOf(a) - seqOf(b))
  }

  /** What nobody could look into: images, and files that are no text. */
  get unread(): Ref[] {
    return this.#unread
  }

  /** The entry without the secret, without pieces of it, and without what may hold it. */
  change(entry: Entry): Entry | undefined {
    const { cuts } = this.#splits
    const clean = cuts.has(entry.seq)
      ? this.#redaction.cutting(entry, cuts)
      : this.#redaction(entry)
    if (!this.#isFound) return clean
    const open = withoutSeals(withoutBlock(clean ?? entry))
    return open === entry ? undefined : open
  }
}

function seqOf({ ref }: NearMiss): Seq {
  return Number.parseInt(ref, 10)
}

/** How many letters are in any of these stretches. */
function covered(stretches: readonly Stretch[]): number {
  let [sum, end] = [0, 0]
  for (const [from, to] of stretches.toSorted((one, other) => one[0] - other[0])) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}

function holdsTrace(entry: Entry, secret: Secret, { isTrace }: Likeness): boolean {
  let holds = false
  const see = ({ text }: Reading): void => {
    holds ||= isTrace(text)
  }
  without(entry, secret, { see, end: () => undefined })
  return holds
}

/** The entry without what its provider sealed of its reasoning; the very same if there is none. */
function withoutSeals(entry: Entry): Entry {
  if (entry.kind !== 'message' && entry.kind !== 'checkpoint') return entry
  const metadata = entry.metadata && withoutSealedNotes(entry.metadata)
  const open = metadata === entry.metadata ? entry : ({ ...entry, metadata } as Entry)
  if (open.kind !== 'message') return open
  const message = withoutSealedReasoning(open.message)
  return message === open.message ? open : { ...open, message }
}

/** The entry without what a provider compacted and only it can read; the very same if there is none. */
function withoutBlock(entry: Entry): Entry {
  if (entry.kind === 'message') {
    const message = withoutSealed(entry.message, redacted)
    return message === entry.message ? entry : { ...entry, message }
  }
  if (entry.kind !== 'checkpoint' || !entry.block) return entry
  const { block, ...checkpoint } = entry
  const isSealed = block.messages.some((each) => withoutSealed(each, redacted) !== each)
  return isSealed ? checkpoint : entry
}

/** How a text to redact may be written: what is looked for, for people. */
export const formsLookedFor: readonly string[] = [
  'as it is',
  'escaped (JSON, JavaScript, shells, SQL, CSV)',
  'in URLs and forms',
  'in HTML and XML',
  'in base64, base32, uuencode and hexadecimal, at any offset',
  'in dumps (xxd, hexdump, od), and as a list of bytes in any base',
  'in UTF-16',
  'with colors, invisible characters or line breaks in it',
  'over several parts, messages or pieces of a stream',
  'in any of these within another',
]

/** What nobody can find, for people. */
export const cannotBeFound =
  'It cannot be found where it is compressed or encrypted (archives, PDF files; what begins like such data is named), in images and sound, or spelled in another way.'
