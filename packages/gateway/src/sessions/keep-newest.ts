// How many sessions are kept at hand; any other is read from the store when it goes on.
const mostLive = 200

/** Adds to a map of limited size; returns what has been in it the longest, if it must go. */
export function keepNewest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
): Value | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= mostLive) return undefined
  const [oldest] = map
  if (!oldest) return undefined
  map.delete(oldest[0])
  return oldest[1]
}
