/** How many characters a byte-pair encoder gets at once: its time grows with their square. */
const pieceLength = 2_000

/**
 * The end of the piece that begins at `from`: after the last newline that fits, else before the
 * last space, else anywhere except inside a surrogate pair.
 */
export function pieceEnd(text: string, from: number): number {
  const limit = from + pieceLength
  if (limit >= text.length) return text.length
  const newline = lastIndexWithin(text, '\n', from, limit)
  if (newline !== undefined) return newline + 1
  const space = lastIndexWithin(text, ' ', from + 1, limit)
  if (space !== undefined) return space
  const splitsPair = isHighSurrogate(text.charCodeAt(limit - 1))
  return splitsPair ? limit - 1 : limit
}

/**
 * Searches back no further than `from`: `lastIndexOf` alone would scan to the start of the text.
 */
function lastIndexWithin(
  text: string,
  character: string,
  from: number,
  limit: number,
): number | undefined {
  const code = character.charCodeAt(0)
  for (let index = limit - 1; index >= from; index--) {
    if (text.charCodeAt(index) === code) return index
  }
  return undefined
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
