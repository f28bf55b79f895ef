/**
 * The name that was most likely meant, if any is close enough.
 * @example
 * nearest('compcat', ['compact', 'replay']) // 'compact'
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const near = Math.max(1, Math.floor(lower.length / 3))
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const isStart = lower.length >= 3 && name.startsWith(lower)
    const distance = isStart ? 0 : distanceOf(lower, name)
    if (distance <= near && distance < (best?.distance ?? Infinity)) best = { name, distance }
  }
  return best?.name
}

// No name is longer; a longer word is not a typo.
const longest = 40

/**
 * The number of insertions, deletions, replacements and swaps of neighboring letters between two
 * words.
 */
function distanceOf(a: string, b: string): number {
  if (a.length > longest) return Infinity
  let twoBack: number[] = []
  let back = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (back[j] ?? Infinity) + 1,
          (row[j - 1] ?? Infinity) + 1,
          (back[j - 1] ?? Infinity) + cost,
          swapped ? (twoBack[j - 2] ?? Infinity) + 1 : Infinity,
        ),
      )
    }
    twoBack = back
    back = row
  }
  return back[b.length] ?? Infinity
}
