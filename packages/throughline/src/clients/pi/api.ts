import type { Fields } from '../../json/fields.ts'

/** An entry of a pi session, as its file has it. */
export type PiEntry = Fields

/** A model of pi, as far as we look at it. */
interface PiModel {
  id: string
  contextWindow?: number
  maxTokens?: number
}

/** What pi gives to whoever handles an event, a tool or a command. */
export interface PiContext {
  /** In `print` and `json`, the process ends with its answer. */
  mode?: 'tui' | 'rpc' | 'json' | 'print'
  /** Whether no request is being answered. */
  isIdle?: () => boolean
  /** Compacts as `/compact` does, and does not wait for it. */
  compact?: (options: { onComplete: () => void; onError: (error: unknown) => void }) => void
  cwd: string
  model: PiModel | undefined
  sessionManager: { getSessionId: () => string; getBranch: () => readonly PiEntry[] }
  modelRegistry: {
    complete: (model: PiModel, context: Fields, options: Fields) => Promise<unknown>
  }
  ui: { notify: (message: string, type?: 'info' | 'warning' | 'error') => void }
  getSystemPrompt: () => string
}

/** What a command may do besides. */
export interface PiCommandContext extends PiContext {
  navigateTree: (target: string, options?: { summarize?: boolean }) => Promise<unknown>
}

/** Before pi compacts, for whatever reason. */
interface BeforeCompactEvent {
  preparation: { firstKeptEntryId: string; tokensBefore: number }
  branchEntries: readonly PiEntry[]
  customInstructions?: string
  reason: 'manual' | 'threshold' | 'overflow'
}

/** A border between two steps, with what others propose to append there. */
interface TurnEndEvent {
  entries?: readonly Fields[]
  continue?: boolean
}

type Handler<Event> = (event: Event, context: PiContext) => unknown

/** As much of pi's interface for extensions as we use. */
export interface PiApi {
  on: ((event: 'session_before_compact', handler: Handler<BeforeCompactEvent>) => unknown) &
    ((event: 'turn_end', handler: Handler<TurnEndEvent>) => unknown) &
    ((event: 'context', handler: Handler<{ messages?: readonly Fields[] }>) => unknown) &
    ((event: 'input', handler: Handler<unknown>) => unknown) &
    ((event: 'session_compact', handler: Handler<{ fromExtension: boolean }>) => unknown) &
    ((event: 'session_start' | 'session_shutdown', handler: Handler<unknown>) => unknown)
  registerTool: (tool: {
    name: string
    label: string
    description: string
    parameters: object
    execute: (
      id: string,
      input: unknown,
      signal: unknown,
      update: unknown,
      context: PiContext,
    ) => Promise<{ content: { type: 'text'; text: string }[]; details: undefined }>
  }) => void
  registerCommand: (
    name: string,
    command: {
      description: string
      handler: (words: string, context: PiCommandContext) => Promise<void>
    },
  ) => void
  sendMessage: (
    message: { customType: string; content: string; display: boolean },
    options: { deliverAs: 'nextTurn' },
  ) => void
}
