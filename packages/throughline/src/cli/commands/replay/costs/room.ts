import type { Window } from '../../../../tokens/window.ts'

/** The most that a provider accepts in one request. */
export function room({ input, context }: Window): number {
  return input ?? context
}
