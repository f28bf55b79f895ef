/**
 * The result of work in steps, all of it at once. Whoever has other things to do takes the steps one
 * at a time.
 */
export function allSteps<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

// As many as take a few milliseconds, also where each is as long as a file.
const few = 16

/** Each of a list; a step ends after some of them. */
export function* inSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => readonly Result[],
): Generator<undefined, Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    for (const result of map(item)) results.push(result)
    if (index % few === few - 1) yield
  }
  return results
}
