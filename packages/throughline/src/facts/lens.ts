import type { CommandPurpose } from './facts.ts'

/**
 * A tool lens reads from a tool call's input and output what the call did. One lens serves one
 * tool, in one harness or several; a plugin can add its own. It is called when the result is
 * available; a call without a result has no effect. A failed call has no effect on files unless the
 * tool itself works differently, which the lens has to know.
 */
export interface ToolLens {
  /** Names of the tools that it reads, compared without regard to case. */
  tools: readonly string[]
  read: (call: LensCall) => Effect[]
}

/** A call as a lens reads it. */
export interface LensCall {
  tool: string
  /** Decoded: an object if the tool takes one, else whatever was passed. */
  input: unknown
  /** The text of the result, or `undefined` while there is none. */
  output: string | undefined
  /** The result was marked as an error. */
  failed: boolean
}

/** Relative paths are relative to the session's current directory. */
export type Effect =
  | { type: 'read'; path: string; range?: [first: number, last: number] }
  | { type: 'create'; path: string }
  | { type: 'edit'; path: string }
  | { type: 'rename'; path: string; to: string }
  /** `tree`: a directory with everything in it. */
  | { type: 'delete'; path: string; tree?: true }
  | CommandEffect
  /** `path`: the single file that was searched. */
  | { type: 'search'; words: string; path?: string }
  | { type: 'todo'; text: string; status: 'open' | 'active' | 'done'; id?: string }
  /** Replaces the to-do list with the `todo` effects that follow. */
  | { type: 'todos' }
  /** Changes the to-do item with this id. */
  | { type: 'todo-status'; id: string; status: 'open' | 'active' | 'done' | 'gone'; text?: string }
  /** The session's directory from now on. */
  | { type: 'directory'; path: string }
  /** The call failed to do what it was made for. */
  | { type: 'failure'; text: string; path?: string }

export interface CommandEffect {
  type: 'command'
  command: string
  exitCode?: number
  /** Its output, without the harness's own lines. */
  output?: string
  directory?: string
  /** It is still running under this name, or this is more output of it. */
  session?: string
  running?: boolean
  failed?: boolean
  purpose?: CommandPurpose
  /** Program and subcommand: `npm test`. */
  head?: string
  /** Absolute directories that it changed to. */
  entered?: readonly string[]
}
