import { windowFor } from '../../config/policy-of.ts'
import { windowOf, parseTokens } from '../../tokens/windows.ts'
import { usage } from '../parse-arguments.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { SessionFacts } from '../../formats/format.ts'
import type { Window } from '../../tokens/window.ts'

/** A window, and where its value comes from. */
export interface WindowChoice {
  window: Window
  from: string
}

// The window of most models for coding agents in 2026.
const usual: Window = { context: 200_000 }

/** The window if no model is named. */
export const usualWindow: WindowChoice = { window: usual, from: 'the default' }

/**
 * The requested window, else the configuration's for the model, else the one that the session
 * recorded, else the known one of its model.
 */
export function chooseWindow(
  asked: number | undefined,
  facts: SessionFacts,
  configuration: Configuration,
): WindowChoice {
  if (asked !== undefined) return { window: { context: asked }, from: 'as requested' }
  const configured = windowFor(configuration, facts.model)
  if (configured) {
    const { value, key, from } = configured
    return { window: value, from: from.type === 'file' ? `${key} in ${from.file.shown}` : key }
  }
  if (facts.window !== undefined) {
    return { window: { context: facts.window }, from: 'as the session recorded' }
  }
  const known = facts.model === undefined ? undefined : windowOf(facts.model)
  if (known) return { window: known, from: `the window of ${facts.model}` }
  const why = facts.model === undefined ? 'the session names no model' : `${facts.model} is unknown`
  return { window: usual, from: `the default: ${why}` }
}

/**
 * The window for a session that another client continues. Its model may have a smaller one than the
 * session had, so that only a named window may be larger than the usual one.
 */
export function windowElsewhere(
  asked: number | undefined,
  facts: SessionFacts,
  configuration: Configuration,
): WindowChoice {
  const choice = chooseWindow(asked, facts, configuration)
  const isNamed = asked !== undefined || windowFor(configuration, facts.model) !== undefined
  if (isNamed || choice.window.context <= usual.context) return choice
  return { window: usual, from: 'the default: another client may have another model' }
}

/** The value of an option that takes a number of tokens. */
export function tokenOption(
  command: string,
  option: string,
  value: string | undefined,
): number | undefined {
  if (value === undefined) return undefined
  const tokens = parseTokens(value)
  if (tokens !== undefined) return tokens
  throw usage(
    command,
    `--${option} must be a number of tokens, such as 8000, 32k or 1m, not ${JSON.stringify(value)}`,
  )
}
