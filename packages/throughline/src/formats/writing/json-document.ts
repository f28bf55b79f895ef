/** A file that is one JSON document, formatted for people to read. */
export function jsonDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
