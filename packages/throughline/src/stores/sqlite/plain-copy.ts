/**
 * A copy of plain data that shares nothing that can change: what writing it as JSON and reading
 * it back gives, at the cost of its structure and not of its texts.
 */
export function plainCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainCopy) as Value
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name)
    if (field === undefined) continue
    if (name === '__proto__') defineField(copy, name, plainCopy(field))
    else copy[name] = plainCopy(field)
  }
  return copy as Value
}

/** To assign to `__proto__` would be to change what the object is. */
function defineField(copy: object, name: string, value: unknown): void {
  Object.defineProperty(copy, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
