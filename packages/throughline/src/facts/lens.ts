import type { CommandPurpose } from './facts.ts'

/**
 * A tool lens reads what a tool call did from its input and its output. One lens
 * serves one tool of one harness or of several; a plugin adds its own. It is asked
 * when the result is there; a call without one has no effect. A failed call has no effect on files unless the tool's own semantics say otherwise:
 * that is for the lens to know.
 */
export interface ToolLens {
  /** Names of the tools that it reads; compared without regard to case. */
  tools: readonly string[]
  read: (call: LensCall) => Effect[]
}

export interface LensCall {
  tool: string
  /** Decoded: an object where the tool takes one, else whatever was passed. */
  input: unknown
  /** The text of the result, or `undefined` while there is none. */
  output: string | undefined
  /** The result was marked as an error. */
  failed: boolean
}

/** Relative paths are relative to the directory in which the session stands. */
export type Effect =
  | { type: 'read'; path: string; range?: [first: number, last: number] }
  | { type: 'create'; path: string }
  | { type: 'edit'; path: string }
  | { type: 'rename'; path: string; to: string }
  /** `tree`: a directory with all that is in it. */
  | { type: 'delete'; path: string; tree?: true }
  | CommandEffect
  /** `path`: the one file that was searched. */
  | { type: 'search'; words: string; path?: string }
  | { type: 'todo'; text: string; status: 'open' | 'active' | 'done'; id?: string }
  /** Replaces the list of things to do by the `todo` effects that follow. */
  | { type: 'todos' }
  /** Changes the thing to do with this id. */
  | { type: 'todo-status'; id: string; status: 'open' | 'active' | 'done' | 'gone'; text?: string }
  /** The session stands here from now on. */
  | { type: 'directory'; path: string }
  /** The call did not do what it was made for. */
  | { type: 'failure'; text: string; path?: string }

export interface CommandEffect {
  type: 'command'
  command: string
  exitCode?: number
  /** What it printed, without the harness's own lines. */
  output?: string
  directory?: string
  /** It still runs under this name, or this is more of what runs under it. */
  session?: string
  running?: boolean
  failed?: boolean
  purpose?: CommandPurpose
  /** Program and subcommand: `npm test`. */
  head?: string
  /** Absolute directories that it went into. */
  entered?: readonly string[]
}
