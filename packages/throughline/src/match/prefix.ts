/** How many items two lists begin with alike; by default only the same object is alike. */
export function sameBeginning<Item, Other>(
  items: readonly Item[],
  others: readonly Other[],
  isSame: (item: Item, other: Other) => boolean = (item, other) => Object.is(item, other),
): number {
  const most = Math.min(items.length, others.length)
  let same = 0
  while (same < most && isSame(items[same] as Item, others[same] as Other)) same += 1
  return same
}

/** Whether two lists hold the same objects in the same order. */
export function isEach(items: readonly unknown[], others: readonly unknown[]): boolean {
  return items.length === others.length && sameBeginning(items, others) === items.length
}

/** Whether a list begins with all of another one. */
export function beginsWith<Item>(
  items: readonly Item[],
  beginning: readonly Item[],
  isSame?: (item: Item, other: Item) => boolean,
): boolean {
  return sameBeginning(items, beginning, isSame) === beginning.length
}
