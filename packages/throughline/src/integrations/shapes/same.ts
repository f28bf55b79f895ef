// Where a provider's cache ends is said anew with every request, and changes no message.
const cacheMarks: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint'])

/** Whether two values say the same as JSON, but for the marks of a prompt cache. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    )
  }
  const [left, right] = [fieldsIn(one), fieldsIn(other)]
  if (!left || !right) return saysNothing(one) && saysNothing(other)
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => cacheMarks.has(key) || isSame(left[key], right[key]))
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** A field that is not there, and one in which there is nothing but such marks. */
function saysNothing(value: unknown): boolean {
  const fields = fieldsIn(value)
  if (!fields) return value === undefined
  return Object.entries(fields).every(([key, field]) => cacheMarks.has(key) || saysNothing(field))
}
