const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u

// The East Asian wide blocks and the emoji, first and last code point of each.
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1faff],
  [0x20000, 0x3fffd],
]

function columnsOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (zeroWidth.test(character)) return 0
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}

/** How many columns of a terminal a line of sanitised text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOfCharacter(character)
  return columns
}

/** The text in at most so many columns, with … where it was cut. */
export function clipColumns(text: string, most: number): string {
  let columns = 0
  let end = 0
  let room = 0
  for (const character of text) {
    columns += columnsOfCharacter(character)
    if (columns > most) return most < 1 ? '' : `${text.slice(0, room)}…`
    end += character.length
    if (columns <= most - 1) room = end
  }
  return text
}

/** The same where the end says more than the beginning: a path. */
export function clipColumnsStart(text: string, most: number): string {
  if (columnsOf(text) <= most) return text
  const characters = [...text]
  let columns = 0
  let start = characters.length
  while (start > 0) {
    columns += columnsOfCharacter(characters[start - 1] ?? '')
    if (columns > most - 1) break
    start--
  }
  return most < 1 ? '' : `…${characters.slice(start).join('')}`
}

export function padColumns(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(columns - columnsOf(text), 0))
  return side === 'left' ? space + text : text + space
}
