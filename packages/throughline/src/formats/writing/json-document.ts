/** A file that is one JSON document, for people to look into too. */
export function jsonDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
