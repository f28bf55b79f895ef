/** Where two values differ as data, as a path into them; `undefined` if they are equal. */
export function differenceOf(actual: unknown, expected: unknown, path = 'it'): string | undefined {
  if (Object.is(actual, expected)) return undefined
  if (typeof actual !== 'object' || typeof expected !== 'object' || !actual || !expected) {
    return `${path} is ${shown(actual)} and not ${shown(expected)}`
  }
  if (Array.isArray(actual) !== Array.isArray(expected)) return `${path} is another kind of thing`
  const left = fieldsOf(actual)
  const right = fieldsOf(expected)
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const difference = differenceOf(left.get(key), right.get(key), `${path}.${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

/** A field set to `undefined` and a missing one are equal, as in JSON. */
function fieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, field]) => field !== undefined))
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length} characters)` : text
}
