import { columnsOf } from './columns.ts'

/** A line divided at its spaces so that each piece fits, as far as its words do. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line === '') line = word
    else if (columnsOf(line) + 1 + columnsOf(word) <= width) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
