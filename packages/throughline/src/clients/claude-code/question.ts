/** The recall tool of the plugin, as Claude Code names it to its model. */
export const recallTool = 'mcp__plugin_throughline_throughline__recall'

/** Of a hook it takes at most 10,000 characters; of more, it shows the first and the last. */
export const takes = { before: 9_500, after: 9_800 }

/** Why the client’s model wrote no summary, where it may still be writing one. */
export const tookTooLong = 'the client’s model took too long'

/** What the hooks module asks the program that it starts, as JSON on standard input. */
export type ModuleQuestion = StartQuestion | CompactQuestion | AheadQuestion

interface StartQuestion {
  ask: 'start'
  session: string
  version: string
}

/** A compaction comes near: what is there is read now, and the question itself is written later. */
export interface AheadQuestion {
  ask: 'ahead'
  session: string
  version: string
  directory: string
  /** The window of the model, in tokens. */
  window: number
}

export interface CompactQuestion {
  ask: 'compact'
  session: string
  version: string
  directory: string
  /** The window of the model, in tokens. */
  window: number
  focus?: string
  /** The ids of the messages that the client would compact, in order. */
  handles: readonly string[]
}

/** What the module gives to the same program once the client's model has answered. */
export interface WrittenByModel {
  /** What the client's own model wrote; without it, code writes the summary. */
  summary?: string
  /** What the client's own compaction would keep behind it, as text. */
  tail?: string
  /** Why it did not write one. */
  noSummary?: string
  /** How long the client has waited so far, in milliseconds. */
  waited: number
}

/**
 * What comes back, a line of JSON each: what the model is to be told, then the context. `null`: the
 * client compacts by itself.
 */
export type ModuleAnswer = Started | ReadAhead | InstructionsAnswer | KeptContext | null

/** The module is at work. */
interface Started {
  /** The most that a session is to have, in tokens, as the user has set it; `0` where it is not set. */
  limit: number
}

/** What is there was read: the question is to be written into this file. */
interface ReadAhead {
  question: string
}

export interface InstructionsAnswer {
  instructions: string
  /** How long the client's model is waited for, in milliseconds. */
  patience: number
  /** The file into which what the model writes is to be given; missing where it is not asked. */
  give?: string
}

/** The context after a compaction, and its sizes in tokens. */
export interface KeptContext {
  kept: readonly KeptMessage[]
  before: number
  after: number
  /** What the person in front of the client is told of it. */
  line: string
}

/** A message of the client's next context, in the form that its hooks modules use. */
export interface KeptMessage {
  role: 'user' | 'assistant'
  text: string
  toolUses: readonly { tool_use_id: string; tool: string; input: unknown }[]
  toolResults?: readonly { tool_use_id: string; text: string; isError: boolean }[]
}
