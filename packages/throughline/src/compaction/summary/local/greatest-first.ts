/**
 * The positions of values, the greatest first, and of equal ones the first. Made for those who stop
 * early: each position costs a few steps, and only the first costs a look at all.
 * @example
 * for (const position of greatestFirst([3, 9, 5])) console.log(position) // 1, then 2, then 0
 */
export function* greatestFirst(values: readonly number[]): Generator<number> {
  // A heap of positions.
  const heap = Int32Array.from(values, (_, position) => position)
  let length = heap.length
  const isBefore = (one: number, other: number): boolean => {
    const a = values[one] as number
    const b = values[other] as number
    return a > b || (a === b && one < other)
  }
  const sink = (from: number): void => {
    const item = heap[from] as number
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= length) break
      const right = child + 1
      if (right < length && isBefore(heap[right] as number, heap[child] as number)) child = right
      if (!isBefore(heap[child] as number, item)) break
      heap[at] = heap[child] as number
      at = child
    }
    heap[at] = item
  }
  for (let at = (length >> 1) - 1; at >= 0; at--) sink(at)
  while (length > 0) {
    const first = heap[0] as number
    heap[0] = heap[--length] as number
    if (length > 0) sink(0)
    yield first
  }
}
