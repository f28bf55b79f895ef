import { isWordCharacter } from './clip-words.ts'

/**
 * The text on one line, without the spaces that only laid it out. A word that someone cut
 * in two before an ellipsis goes whole: it would be a name that never was.
 */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (!line.endsWith('…')) return line
  let end = line.length - 1
  while (end > 0 && isWordCharacter(line.charCodeAt(end - 1))) end--
  return `${line.slice(0, end)}…`
}
