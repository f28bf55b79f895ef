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
  if (Array.isArray(value)) return formedItems(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return formedFields(value as Record<string, unknown>)
}

/** Nothing is copied before the first difference: most values have none. */
function formedItems(items: readonly unknown[]): unknown {
  let copy: unknown[] | undefined
  for (let at = 0; at < items.length; at++) {
    const item = formed(items[at])
    if (!Object.is(item, items[at])) copy ??= items.slice()
    if (copy) copy[at] = item
  }
  return copy ?? items
}

function formedFields(value: Record<string, unknown>): unknown {
  const names = Object.keys(value)
  let fields: [string, unknown][] | undefined
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    const field = formed(value[name])
    const same = name.isWellFormed() && Object.is(field, value[name])
    if (!same) fields ??= names.slice(0, at).map((before) => [before, value[before]])
    fields?.push([name.toWellFormed(), field])
  }
  return fields ? Object.fromEntries(fields) : value
}
