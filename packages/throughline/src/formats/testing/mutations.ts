import * as fc from 'fast-check'

/** One change to records: what happens, and to which of all their values. */
export interface Mutation {
  how: 'junk' | 'steal' | 'delete' | 'repeat'
  at: number
  from: number
  junk: unknown
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, '', -1, 0, 1e300, true, [], {}, '__proto__', '\ud800', [[]]),
  fc.jsonValue({ maxDepth: 2 }),
)

const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom('junk', 'steal', 'delete', 'repeat'),
  at: fc.nat(),
  from: fc.nat(),
  junk,
})

/** These records with values changed, exchanged, left out and repeated, at any depth. */
export function mutated(records: readonly unknown[]): fc.Arbitrary<unknown[]> {
  return fc.array(mutation, { minLength: 1, maxLength: 12 }).map((mutations) => {
    const copy: unknown[] = structuredClone([...records])
    for (const change of mutations) apply(copy, change)
    return copy
  })
}

/** Changes for this many records, at least one for each. */
export function changesFor(count: number): fc.Arbitrary<Mutation[][]> {
  const changes = fc.array(mutation, { minLength: 1, maxLength: 3 })
  return fc.array(changes, { minLength: count, maxLength: count })
}

/** A record after its changes: none, several, or something else altogether. */
export function changed(record: unknown, changes: readonly Mutation[]): unknown[] {
  const copy = [structuredClone(record)]
  for (const change of changes) apply(copy, change)
  return copy
}

interface Slot {
  parent: Record<string, unknown>
  key: string
}

function apply(records: unknown[], { how, at, from, junk: value }: Mutation): void {
  const slots = slotsIn(records)
  const slot = slots[at % slots.length]
  const other = slots[from % slots.length]
  if (!slot || !other) return
  const { parent, key } = slot
  const stolen: unknown = structuredClone(other.parent[other.key])
  if (how === 'junk') parent[key] = structuredClone(value)
  else if (how === 'steal') parent[key] = stolen
  else if (Array.isArray(parent))
    parent.splice(Number(key), how === 'delete' ? 1 : 0, ...(how === 'repeat' ? [stolen] : []))
  else if (how === 'delete') delete parent[key]
}

/** Every value in the records, and its position. */
function slotsIn(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...slotsIn(parent[key])])
}
