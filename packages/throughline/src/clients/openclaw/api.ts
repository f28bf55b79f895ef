import type { Fields } from '../../json/fields.ts'

/** What we use of OpenClaw's plugin interface. Messages have the shape of pi's. */
export interface OpenClawApi {
  registerContextEngine: (id: string, factory: () => OpenClawEngine) => void
  registerTool?: (
    factory: (context: { sessionId?: string }) => readonly OpenClawTool[] | null,
    options: { names: string[] },
  ) => void
  registerCommand?: (command: OpenClawCommand) => void
}

export interface OpenClawTool {
  name: string
  label: string
  description: string
  parameters: object
  execute: (
    call: string,
    input: unknown,
  ) => Promise<{ content: { type: 'text'; text: string }[]; details?: unknown }>
}

interface OpenClawCommand {
  name: string
  description: string
  acceptsArgs: boolean
  requireAuth: boolean
  handler: (context: { sessionId?: string; args?: string }) => Promise<{ text: string }>
}

/** What the host says in every call. */
export interface OpenClawCall {
  sessionId: string
  sessionKey?: string
  /** Which store of which agent has the session. */
  sessionTarget?: Fields
  runtimeContext?: OpenClawContext
  runtimeSettings?: {
    /** Before a turn, the host has taken the room of the answer off the budget; within it, it has not. */
    limits?: { maxOutputTokens?: number | null }
    /** What runs the turn; the id of a command-line back end begins with `cli:`. */
    executionHost?: { id?: string }
  }
}

interface OpenClawContext {
  tokenBudget?: number
  /** The session of a command-line back end that has the conversation. */
  cliSessionId?: string
  llm?: { complete: (request: Fields) => Promise<unknown> }
}

export interface AssembleCall extends OpenClawCall {
  /** What is sent behind the messages. */
  prompt?: string
  messages: readonly Fields[]
  tokenBudget?: number
  availableTools?: ReadonlySet<string>
  citationsMode?: unknown
}

interface Assembly {
  messages: Fields[]
  estimatedTokens: number
  systemPromptAddition?: string
  /** Threads of a back end, as Codex has them, are begun anew when the epoch is another. */
  contextProjection: { mode: 'thread_bootstrap'; epoch: string }
}

/** We rewrite nothing in the host's transcript. */
interface Maintained {
  changed: false
  bytesFreed: 0
  rewrittenEntries: 0
}

interface CommitCall extends OpenClawCall {
  advancementKey: string
  messages: readonly Fields[]
}

export interface CompactCall extends OpenClawCall {
  tokenBudget?: number
  /** A person asks for `threshold`; the host itself, in the middle of its work, for `budget`. */
  compactionTarget?: 'budget' | 'threshold'
  currentTokenCount?: number
  customInstructions?: string
  abortSignal?: AbortSignal
}

/** What the host takes as the answer to a compaction. */
export interface CompactAnswer {
  ok: boolean
  compacted: boolean
  reason?: string
  result?: { summary: string; firstKeptEntryId: string; tokensBefore: number; tokensAfter: number }
}

export interface OpenClawEngine {
  info: Fields
  bootstrap: (call: OpenClawCall) => Promise<{ bootstrapped: boolean; importedMessages: number }>
  ingest: (call: OpenClawCall & { message: Fields }) => Promise<{ ingested: boolean }>
  /** Runs behind a reply, without holding it up. */
  maintain: (call: OpenClawCall) => Promise<Maintained>
  assemble: (call: AssembleCall) => Promise<Assembly>
  commitTurn: (call: CommitCall) => Promise<{ status: 'committed' | 'duplicate' }>
  compact: (call: CompactCall) => Promise<CompactAnswer>
  prepareSubagentSpawn: (call: {
    contextMode?: string
    childSessionKey?: string
    parentSessionId?: string
    childSessionId?: string
  }) => Promise<{ rollback: () => Promise<void> }>
  onSubagentEnded: (call: { childSessionKey: string }) => Promise<void>
  dispose: () => Promise<void>
}
