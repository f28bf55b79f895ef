/**
 * A value as the JSON that is sent. Never throws: what JSON can't represent (a cycle, a getter that
 * throws, a tree too deep) is left out, a BigInt is written as a number, and bytes as their size.
 * @example
 * wireText({ path: 'src/index.ts', limit: 10n }) // '{"path":"src/index.ts","limit":10}'
 */
export function wireText(value: unknown): string {
  try {
    return JSON.stringify(value, plain) ?? ''
  } catch {
    return withoutRepeats(value)
  }
}

function withoutRepeats(value: unknown): string {
  const seen = new WeakSet<object>()
  try {
    return (
      JSON.stringify(value, function (this: unknown, key, item: unknown) {
        if (typeof item !== 'object' || item === null) return plain.call(this, key, item)
        if (seen.has(item)) return undefined
        seen.add(item)
        return plain.call(this, key, item)
      }) ?? ''
    )
  } catch {
    return ''
  }
}

function plain(this: unknown, _key: string, item: unknown): unknown {
  if (typeof item === 'bigint') return Number(item)
  if (item instanceof ArrayBuffer || ArrayBuffer.isView(item)) return `${item.byteLength} bytes`
  return item
}
