/** Base64 of this many characters and more is data; shorter runs may be code with a plus. */
const SHORTEST_DATA = 200

/**
 * The end of the base64 run that begins at `start`, or, if the run is too short to be
 * data, the negated position up to which nothing need be looked at again.
 */
export function encodedEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && isEncoded(text.charCodeAt(end))) end++
  return end - start >= SHORTEST_DATA ? end : -end
}

function isEncoded(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61
  )
}
