/** The base64 data of a data URL and its media type; `undefined` for any other text. */
export function dataOf(url: string): { mediaType: string; data: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return undefined
  const [mediaType = '', ...flags] = url.slice('data:'.length, comma).split(';', 5)
  return flags.includes('base64') ? { mediaType, data: url.slice(comma + 1) } : undefined
}
