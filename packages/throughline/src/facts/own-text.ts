/** Engines copy what is shorter than this as it is cut out of a text. */
const copiedAnyway = 13

/**
 * The same text in memory of its own. An engine keeps the whole text that a piece was cut out of for
 * as long as the piece lives: one name of an output would hold all of the output for ever.
 */
export function ownText(text: string): string {
  if (text.length < copiedAnyway) return text
  return JSON.parse(JSON.stringify(text)) as string
}
