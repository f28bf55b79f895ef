import { sanitize } from '../../src/log/sanitize.ts'

/** A run of text in one style; the classes are ours, never a text's. */
export interface Run {
  text: string
  classes: string
}

const sgr = /[\u001b]\[([\d;:]{0,64})m/g
const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

interface Style {
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  colour: string | undefined
}

const plain: Style = { bold: false, dim: false, italic: false, underline: false, colour: undefined }

/**
 * The colours of a terminal's text, and nothing else of what a terminal would do: every other
 * control, escape and bidi character is taken out. One pass.
 */
export function ansiRuns(text: string): Run[] {
  if (!text.includes('\u001b')) return [{ text: sanitize(text), classes: '' }]
  const runs: Run[] = []
  let style = plain
  let from = 0
  for (const match of text.matchAll(sgr)) {
    add(text.slice(from, match.index))
    style = styled(style, match[1] ?? '')
    from = match.index + match[0].length
  }
  add(text.slice(from))
  return runs

  function add(raw: string): void {
    const safe = sanitize(raw)
    if (safe !== '') runs.push({ text: safe, classes: classesOf(style) })
  }
}

function styled(style: Style, codes: string): Style {
  let next = style
  const numbers = codes.split(/[;:]/).map(Number)
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0
    if (code === 0) next = plain
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 3) next = { ...next, italic: true }
    else if (code === 4) next = { ...next, underline: true }
    else if (code === 22) next = { ...next, bold: false, dim: false }
    else if (code === 23) next = { ...next, italic: false }
    else if (code === 24) next = { ...next, underline: false }
    else if (code >= 30 && code <= 37) next = { ...next, colour: colours[code - 30] }
    else if (code >= 90 && code <= 97) next = { ...next, colour: colours[code - 90] }
    else if (code === 39) next = { ...next, colour: undefined }
    else if (code === 38 || code === 48) {
      const skipped = numbers[at + 1] === 5 ? 2 : 4
      if (code === 38 && skipped === 2) next = { ...next, colour: paletteColour(numbers[at + 2]) }
      at += skipped
    }
  }
  return next
}

/** The first sixteen of the palette are the terminal's own; finer shades would not be legible. */
function paletteColour(index: number | undefined): string | undefined {
  return index !== undefined && index < 16 ? colours[index % 8] : undefined
}

function classesOf({ bold, dim, italic, underline, colour }: Style): string {
  return [
    bold ? 'ansi-bold' : '',
    dim ? 'ansi-dim' : '',
    italic ? 'ansi-italic' : '',
    underline ? 'ansi-underline' : '',
    colour ? `ansi-${colour}` : '',
  ]
    .filter((name) => name !== '')
    .join(' ')
}
