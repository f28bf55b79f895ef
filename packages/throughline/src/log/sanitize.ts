// Whole escape sequences are removed, so that colored output still reads as intended. Each
// alternative stops at the next ESC at the latest, so the cost is linear in the length.
const escapeSequence = new RegExp(
  [
    // CSI: colors, cursor, screen.
    '[\\x1b]\\[[0-?]*[ -/]*[@-~]',
    '\\x9b[0-?]*[ -/]*[@-~]',
    // OSC, DCS, SOS, PM, APC up to their terminator: titles, links, clipboards.
    '[\\x1b][\\]PX^_][^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c)',
    // Two and three characters: charsets, resets.
    '[\\x1b][ -/]*[0-~]',
  ].join('|'),
  'g',
)
const lineEnd = /\r\n?|[\u2028\u2029\v\f]/g
// Embeddings, overrides, isolates and marks: they show a text in a different order.
const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const control = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g

// Matches if any of these occur; most texts contain none and are read once.
const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/**
 * Makes a text of unknown origin safe to print: no escape sequences, no control characters except
 * newline and tab, nothing that changes the direction of writing, no lone surrogates. Sequences
 * that carry no meaning are removed without a trace; a control character leaves a visible sign.
 * @example
 * sanitize('\u001b[31mred\u001b[0m\u0007') // 'red␇'
 */
export function sanitize(text: string): string {
  if (!unsafe.test(text)) return text.toWellFormed()
  return text
    .replace(escapeSequence, '')
    .replace(lineEnd, '\n')
    .replace(bidirectional, '')
    .replace(control, visible)
    .toWellFormed()
}

/** The same on one line, unless `lines` is set. */
export function sanitizeLine(text: string, { lines = false }: { lines?: boolean } = {}): string {
  const safe = sanitize(text)
  return lines ? safe : safe.replace(/\s+/g, ' ').trim()
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
