/** Keys of which each can be taken as often as it is there. */
export interface KeyPool<Key> {
  /** Whether the key was there; it is taken. */
  take: (key: Key) => boolean
}

export function keyPool<Key>(keys: readonly Key[]): KeyPool<Key> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return {
    take(key) {
      const count = counts.get(key) ?? 0
      if (count > 0) counts.set(key, count - 1)
      return count > 0
    },
  }
}
