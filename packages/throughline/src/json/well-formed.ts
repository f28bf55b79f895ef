/**
 * A value with every text in it well-formed, names of fields too: half of a surrogate pair is no
 * character, and a provider refuses a request that holds one. The very same value, with all that
 * is in it, where there is nothing to change; bytes and objects of a class are left alone.
 * @example
 * wellFormed({ output: 'cut \ud83d' }) // { output: 'cut \ufffd' }
 */
export function wellFormed<Value>(value: Value): Value {
  return formed(value) as Value
}

function formed(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(formed)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  let differs = false
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    const entry: [string, unknown] = [
      name.isWellFormed() ? name : name.toWellFormed(),
      formed(field),
    ]
    if (entry[0] !== name || entry[1] !== field) differs = true
    return entry
  })
  return differs ? Object.fromEntries(fields) : value
}
