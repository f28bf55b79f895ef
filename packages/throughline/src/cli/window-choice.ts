import { windowOf } from '../tokens/windows.ts'
import type { SessionFacts } from '../formats/format.ts'
import type { Window } from '../tokens/window.ts'

/** A window, and where it was taken from. */
export interface WindowChoice {
  window: Window
  from: string
}

// What most models of coding agents took in 2026.
const usual = 200_000

/** What was asked for, else what the session recorded, else what its model is known to take. */
export function chooseWindow(asked: number | undefined, facts: SessionFacts): WindowChoice {
  if (asked !== undefined) return { window: { context: asked }, from: 'as asked for' }
  if (facts.window !== undefined) {
    return { window: { context: facts.window }, from: 'as the session shows' }
  }
  const known = facts.model === undefined ? undefined : windowOf(facts.model)
  if (known) return { window: known, from: `that of ${facts.model}` }
  const why = facts.model === undefined ? 'the session names no model' : `${facts.model} is unknown`
  return { window: { context: usual }, from: `the usual one: ${why}` }
}
