/**
 * A tool lens reads what a tool call did from its input and its output. One lens
 * serves one tool of one harness or of several; a plugin adds its own.
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

export type Effect =
  | { type: 'read'; path: string; range?: [first: number, last: number] }
  | { type: 'create'; path: string }
  | { type: 'edit'; path: string }
  | { type: 'rename'; path: string; to: string }
  | { type: 'delete'; path: string }
  | { type: 'command'; command: string; exitCode?: number; output?: string; directory?: string }
  | { type: 'search'; words: string }
  | { type: 'todo'; text: string; status: 'open' | 'active' | 'done'; id?: string }
  /** Replaces the list of things to do by the `todo` effects that follow. */
  | { type: 'todos' }
