/** A line of code that a promise rests on, and how it is deleted. */
export interface Guard {
  promise: string
  /** What it guards against: its name in the list. */
  guard: string
  /** Below `packages/throughline/src`. */
  file: string
  /** Stands in the file exactly once. */
  find: string
  /** What stands there when the guard is deleted. */
  replace: string
  /** Test files below `packages/throughline/src` that must notice; by default all of the promise. */
  tests?: readonly string[]
}

/** The guards of one promise. */
export function guardsOf(
  promise: string,
  guards: readonly Omit<Guard, 'promise'>[],
): readonly Guard[] {
  return guards.map((guard) => ({ promise, ...guard }))
}
