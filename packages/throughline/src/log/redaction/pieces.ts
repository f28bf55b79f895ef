import { isUncommon, type Secret } from './secret.ts'

/** The number of shared characters that makes a text contain a piece of a secret. */
export interface PieceLength {
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
export function withoutPieces(text: string, secret: Secret, length: PieceLength): string {
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
