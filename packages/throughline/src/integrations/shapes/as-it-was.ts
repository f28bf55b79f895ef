/** What plain data was, to be compared with what it is: its keys, and the values under them. */
export type Was = string | number | boolean | null | undefined | Parts

interface Parts {
  /** `undefined` for a list. */
  keys: readonly string[] | undefined
  values: readonly Was[]
}

/** Plain data as it is now. Texts are not copied. */
export function asItIs(value: unknown): Was {
  if (typeof value !== 'object' || value === null) return value as Was
  if (Array.isArray(value)) return { keys: undefined, values: value.map(asItIs) }
  const keys: string[] = []
  const values: Was[] = []
  for (const key in value) {
    keys.push(key)
    values.push(asItIs((value as Record<string, unknown>)[key]))
  }
  return { keys, values }
}

/** Some fields of an object as they are now. */
export function fieldsAsTheyAre(value: object, keys: readonly string[]): Was {
  return { keys, values: keys.map((key) => asItIs(Reflect.get(value, key))) }
}

/** Whether these fields of an object are still what they were. */
export function areFieldsAsTheyWere(value: object, was: Was): boolean {
  if (typeof was !== 'object' || !was?.keys) return false
  const { keys, values } = was
  const fields = value as Record<string, unknown>
  for (let at = 0; at < keys.length; at++) {
    if (!isAsItWas(fields[keys[at] as string], values[at])) return false
  }
  return true
}

/**
 * Whether plain data is still what it was, whoever may have changed it in place, and however deep.
 * This looks at each value and makes nothing, and a text that is still the same object is not read.
 */
export function isAsItWas(value: unknown, was: Was): boolean {
  if (typeof was !== 'object' || was === null) return value === was
  if (typeof value !== 'object' || value === null) return false
  const { keys, values } = was
  if (Array.isArray(value)) {
    if (keys || value.length !== values.length) return false
    for (let at = 0; at < values.length; at++) if (!isAsItWas(value[at], values[at])) return false
    return true
  }
  if (!keys) return false
  let at = 0
  for (const key in value) {
    if (key !== keys[at]) return false
    if (!isAsItWas((value as Record<string, unknown>)[key], values[at])) return false
    at += 1
  }
  return at === keys.length
}
