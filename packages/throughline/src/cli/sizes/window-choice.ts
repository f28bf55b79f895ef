import { windowFor } from '../../config/policy-of.ts'
import { windowOf } from '../../tokens/windows.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { SessionFacts } from '../../formats/format.ts'
import type { Window } from '../../tokens/window.ts'

/** A window, and where it was taken from. */
export interface WindowChoice {
  window: Window
  from: string
}

// What most models of coding agents took in 2026.
const usual: Window = { context: 200_000 }

/** What is taken where no model is named. */
export const usualWindow: WindowChoice = { window: usual, from: 'the usual one' }

/**
 * What was asked for, else what the configuration says for the model, else what the session
 * recorded, else what its model is known to take.
 */
export function chooseWindow(
  asked: number | undefined,
  facts: SessionFacts,
  configuration: Configuration,
): WindowChoice {
  if (asked !== undefined) return { window: { context: asked }, from: 'as asked for' }
  const configured = windowFor(configuration, facts.model)
  if (configured) {
    const { value, key, from } = configured
    return { window: value, from: from.type === 'file' ? `${key} in ${from.file.shown}` : key }
  }
  if (facts.window !== undefined) {
    return { window: { context: facts.window }, from: 'as the session shows' }
  }
  const known = facts.model === undefined ? undefined : windowOf(facts.model)
  if (known) return { window: known, from: `that of ${facts.model}` }
  const why = facts.model === undefined ? 'the session names no model' : `${facts.model} is unknown`
  return { window: usual, from: `the usual one: ${why}` }
}
