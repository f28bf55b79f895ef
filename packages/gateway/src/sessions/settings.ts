import { windowOf, type Window } from 'throughline'
import type { OwnToolName } from '../tools/own-tools.ts'

/** What an operator decides for all sessions. */
export interface SessionSettings {
  /** The windows of models that the engine doesn't know, or that are smaller than it knows. */
  windows?: Readonly<Record<string, Window>>
  /** The window of every model that is not named; without one, unknown models are rescued only. */
  window?: Window
  /**
   * Who compacts. `before`: the gateway, before the provider would refuse. `rescue`: the client
   * itself, and the gateway only when the provider refuses. `never`: the gateway follows nobody and
   * only forwards. By default, clients that are known to compact by themselves are rescued, and all
   * others are spared the refusal.
   */
  when?: 'before' | 'rescue' | 'never'
  /**
   * The most that an answer tells its client of its input, in tokens: so that a client does not
   * compact as well. By default it is told the truth.
   */
  mostUsage?: number
  /**
   * Words in the instructions of a request with which a client asks for a summary of its own. Where it
   * summarizes too little to gain anything, it is told no larger input for a while, and does not ask again.
   */
  ownSummary?: string
  /** How long a summary by a model may take, in milliseconds; 90,000 by default. */
  summaryTimeout?: number
  /** A cheaper model for summaries, of the same provider; `false` asks none. */
  summaryModel?: string | false
  /**
   * Tools that every agent with tools of its own gets as well, and that the gateway answers without
   * its client ever seeing the call. By default none: they change each request.
   */
  tools?: readonly OwnToolName[]
}

/** The window that a session begins with; `undefined` where nobody knows it. */
export function windowFor(model: string, settings: SessionSettings): Window | undefined {
  const { windows = {}, window } = settings
  const named = Object.hasOwn(windows, model) ? windows[model] : undefined
  return named ?? window ?? windowOf(model)
}

/** Whether an operator has named the window of this model. */
export function isWindowSet(model: string, { windows = {} }: SessionSettings): boolean {
  return Object.hasOwn(windows, model)
}

/** Clients that compact by themselves, by what they call themselves. */
const compactsItself =
  /^(?:claude-cli|claude-code|codex|codex_|opencode|pi|pi-|qwen-?code|gemini-?cli|copilot|kimi|cline|roo|kilo)/i

export function whenFor(
  userAgent: string | undefined,
  settings: SessionSettings,
): 'before' | 'rescue' | 'never' {
  if (settings.when) return settings.when
  return compactsItself.test(userAgent ?? '') ? 'rescue' : 'before'
}
