/**
 * A copy of plain data that nobody can change. Texts are shared, so that the cost is that of the
 * structure and not of its size; what is no plain object or array (bytes, a URL) is kept as it is.
 * @example
 * frozenCopy({ list: [1] }).list.push(2) // throws a TypeError
 */
export function frozenCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const fields = Object.entries(value).map(([key, field]) => [key, frozenCopy(field)])
  return Object.freeze(Object.fromEntries(fields)) as Value
}
