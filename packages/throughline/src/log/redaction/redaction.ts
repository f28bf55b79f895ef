import { changeStrings } from './change-strings.ts'
import { blankParts, textsOf } from './blank-part.ts'
import { without, withoutSecret, type Sight } from './find-secret.ts'
import {
  lineForms,
  redacted,
  redactedShort,
  secretOf,
  wholeForms,
  wordsOf,
  isUncommon,
} from './secret.ts'
import { Splits, withoutCuts } from './split-secret.ts'
import { readRef, parseRef } from '../ref.ts'
import type { Secret } from './secret.ts'
import type { Cuts } from './split-secret.ts'
import type { Entry, Continuation, Ref, Replacement } from '../entry.ts'
import type { Chronological } from '../order.ts'

/** The replacement of an entry; `undefined` if nothing has to change. */
export interface Redaction {
  (entry: Entry): Entry | undefined
  /** The same, where pieces of the secret may be spread over several entries. */
  readonly cutting: (entry: Entry, cuts?: Cuts, sight?: Sight) => Entry | undefined
  /** What it looks for. */
  readonly secret: Secret
}

/**
 * Removes a text from every entry that contains it, however it is written there; also in pieces
 * from summaries and clipped texts. One that begins in a text and ends in another entry's is only
 * found with `Inspection`.
 * @throws RedactionError if it is too short to be distinguished from other text.
 */
export function redactText(text: string): Redaction {
  const secret = secretOf(text)
  const words = wordsOf(text)
  const length = { uncommon: 8, any: Math.max(8, (text.length * 2) / 3) }
  return redaction(secret, (entry, sight) => {
    const clean = without(entry, secret, sight)
    if (!isDerived(clean)) return clean
    return changeStrings(clean, (each) => withoutPieces(withoutSecret(each, words), secret, length))
  })
}

/** Whether the engine made its texts from the texts of others. */
function isDerived({ kind }: Entry): boolean {
  return kind === 'prune' || kind === 'checkpoint'
}

/**
 * Removes a part or a message from the log: its text, its replacement if it was pruned or clipped,
 * its copies elsewhere, and its lines in summaries.
 * @throws RefNotFoundError
 */
export function redactRef(log: Chronological, ref: string): Redaction {
  const texts = textsOf(readRef(log, ref))
  const copies = wholeForms(texts)
  const lines = lineForms(texts)
  return redaction(copies, (entry, sight) => {
    const clean = without(blankStandIns(blankParts(entry, ref), ref), copies, sight)
    if (clean.kind !== 'checkpoint') return clean
    const summary = withoutSecret(clean.summary, lines)
    return { ...clean, summary: withoutPieces(summary, lines, { uncommon: 16, any: 32 }) }
  })
}

/**
 * Removes what a ref names from another log: its copies, as a fork holds them.
 * @throws RefNotFoundError
 */
export function redactCopies(log: Chronological, ref: string): Redaction {
  const copies = wholeForms(textsOf(readRef(log, ref)))
  return redaction(copies, (entry, sight) => without(entry, copies, sight))
}

function redaction(
  secret: Secret,
  change: (entry: Entry, sight: Sight | undefined) => Entry,
): Redaction {
  const cutting: Redaction['cutting'] = (entry, cuts = cutsIn(entry, secret), sight) => {
    const clean = change(withoutCuts(entry, cuts, secret.marker), sight)
    const isSame = clean === entry || inLongMarkers(clean) === inLongMarkers(entry)
    return isSame ? undefined : clean
  }
  const alone = (entry: Entry): Entry | undefined => cutting(entry)
  return Object.assign(alone, { cutting, secret })
}

/** A store may have written the short marker where the long one had no room: it says the same. */
function inLongMarkers(entry: Entry): string {
  return JSON.stringify(entry).replaceAll(redactedShort, redacted)
}

/** A secret may be spread over the parts of one message. */
function cutsIn(entry: Entry, secret: Secret): Cuts {
  const splits = new Splits(secret)
  splits.add(entry)
  return splits.cuts
}

/** The entry with every replacement or pin of the part emptied. */
function blankStandIns(entry: Entry, ref: string): Entry {
  switch (entry.kind) {
    case 'prune':
      return { ...entry, replacements: blank(entry.replacements, ref) }
    case 'checkpoint':
      return {
        ...entry,
        tail: entry.tail.map((item) =>
          item.type === 'entry' && item.replacements
            ? { ...item, replacements: blank(item.replacements, ref) }
            : item,
        ),
        continuation: entry.continuation && blankContinuation(entry.continuation, ref),
      }
    case 'pin':
      return names(entry.ref, ref) ? { ...entry, text: redacted } : entry
    default:
      return entry
  }
}

function blank(replacements: readonly Replacement[], ref: string): Replacement[] {
  return replacements.map((replacement) => {
    if (!names(replacement.ref, ref)) return replacement
    if (!('input' in replacement)) return { ...replacement, text: redacted }
    return { ...replacement, ...changeStrings({ input: replacement.input }, () => redacted) }
  })
}

/**
 * A continuation may repeat a human message; if the whole message goes, so does the continuation's
 * copy.
 */
function blankContinuation(continuation: Continuation, ref: string): Continuation {
  if (continuation.of === undefined || continuation.of !== parseRef(ref)?.seq) return continuation
  const { message, replacements, ...others } = continuation
  return {
    ...others,
    message: { ...message, content: redacted },
    ...(replacements && { replacements: blank(replacements, ref) }),
  }
}

/** Whether `ref` names `part`, or the whole message that contains it. */
function names(part: Ref | undefined, ref: string): boolean {
  return part !== undefined && (part === ref || part.startsWith(`${ref}.`))
}

/** The number of shared characters that makes a text contain a piece of a secret. */
interface PieceLength {
  /** If it doesn't look like a common word. */
  uncommon: number
  /** Whatever it looks like. */
  any: number
}

/** A stretch of a text, from start to end. */
type Stretch = readonly [from: number, to: number]

/**
 * The text without pieces of a secret. A summary may list pieces among a session's names, and a
 * clipped text may be cut in the middle of one.
 */
function withoutPieces(text: string, secret: Secret, length: PieceLength): string {
  let clean = ''
  let end = 0
  for (const [from, to] of sharedStretches(text, secret.texts, length.uncommon)) {
    const piece = text.slice(from, to).trim()
    if (piece.length < length.any && !isUncommon(piece)) continue
    const start = text.indexOf(piece, from)
    clean += text.slice(end, start) + secret.marker
    end = start + piece.length
  }
  return end === 0 ? text : clean + text.slice(end)
}

/**
 * Where the text shares at least `length` characters in a row with a form. Memory use depends on
 * the text, however large the forms are.
 */
function sharedStretches(text: string, forms: readonly string[], length: number): Stretch[] {
  const shared = sharedRuns(text, forms, length)
  const stretches: [number, number][] = []
  for (let at = 0; shared.size > 0 && at + length <= text.length; at++) {
    if (!shared.has(text.slice(at, at + length))) continue
    const last = stretches.at(-1)
    if (last && at <= last[1]) last[1] = at + length
    else stretches.push([at, at + length])
  }
  return stretches
}

function sharedRuns(text: string, forms: readonly string[], length: number): Set<string> {
  const held = new Set<string>()
  for (let at = 0; at + length <= text.length; at++) held.add(text.slice(at, at + length))
  const shared = new Set<string>()
  for (const form of forms) {
    for (let at = 0; at + length <= form.length; at++) {
      const run = form.slice(at, at + length)
      if (held.has(run)) shared.add(run)
    }
  }
  return shared
}
