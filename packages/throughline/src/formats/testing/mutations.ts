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

/** Changes for so many records, at least one for each. */
export function changesFor(count: number): fc.Arbitrary<Mutation[][]> {
  const changes = fc.array(mutation, { minLength: 1, maxLength: 3 })
  return fc.array(changes, { minLength: count, maxLength: count })
}

/** A record after its changes: none any more, several, or something else altogether. */
export function changed(record: unknown, changes: readonly Mutation[]): unknown[] {
  const copy = [structuredClone(record)]
  for (const change of changes) apply(copy, change)
  return copy
}

interface Place {
  parent: Record<string, unknown>
  key: string
}

function apply(records: unknown[], { how, at, from, junk: value }: Mutation): void {
  const places = placesIn(records)
  const place = places[at % places.length]
  const other = places[from % places.length]
  if (!place || !other) return
  const { parent, key } = place
  const stolen: unknown = structuredClone(other.parent[other.key])
  if (how === 'junk') parent[key] = structuredClone(value)
  else if (how === 'steal') parent[key] = stolen
  else if (Array.isArray(parent))
    parent.splice(Number(key), how === 'delete' ? 1 : 0, ...(how === 'repeat' ? [stolen] : []))
  else if (how === 'delete') delete parent[key]
}

/** Every value in the records, and where it stands. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])])
}
