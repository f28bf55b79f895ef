import type { Client } from '../client.ts'
import type { ServedRequest } from 'throughline/testing/provider'

interface CompactPlace {
  command: string
  directory: string
  home: string
  env: Record<string, string>
}

/** A client that takes Throughline into itself, and how it is made to do things. One file each. */
export interface InsideClient {
  client: Client
  /** What the user types behind `throughline install`. */
  word: string
  /** The window that it believes in, in tokens. */
  window: number
  /** What the provider takes where that is less than the client believes, in tokens. */
  overflowsAt: number
  /** Its requests break the rules by which other providers of its API go; `false` looks at pairs alone. */
  strict?: false
  /** How its model reads a file. */
  read: (file: string) => { name: string; input: Record<string, unknown> }
  /** How its model runs a command, and writes a file. */
  run: (command: string) => { name: string; input: Record<string, unknown> }
  write: (file: string, content: string) => { name: string; input: Record<string, unknown> }
  /** How its model gets tools of ours into its requests, where they are only named there. */
  loads?: (request: ServedRequest) => { name: string; input: Record<string, unknown> } | undefined
  /** How its model calls a tool of ours that no request offers by its name. */
  reach?: (
    request: ServedRequest,
    tool: string,
    input: Record<string, unknown>,
  ) => { name: string; input: Record<string, unknown> } | undefined
  /** How many files are read before `/compact`: fewer than would be compacted anyway. */
  filesBeforeCompact: number
  /** Whether a request that offers the tools asks for a summary all the same. */
  asksForSummary?: (request: ServedRequest) => boolean
  /** The answer to it, made of what a model would say, if it must have a form of its own. */
  summary?: (usual: string, request: ServedRequest) => string
  /** A new process sends the same session in other words: the cache is lost, with us and without. */
  resumesInOtherWords?: true
  /** How often it loses the cache for a compaction, with us and without; once by default. */
  cacheLosses?: number
  /** Of its own summaries it tells with the request behind them: how many a run may end before. */
  toldAfter?: number
  /** Lets it load a plugin of others that changes the same requests. */
  loadRival?: (home: string) => Promise<void>
  /** Installed files of ours, below the home, and what is in them when they are broken. */
  broken: Readonly<Record<string, string>>
  /** After `settle`: the small window, and what a machine has on which it has run before. */
  prepare: (home: string) => Promise<Record<string, string>>
  /**
   * Our engine has its slot: its own store knows of no compaction of ours, and `throughline run` does
   * not know its ways to a provider.
   */
  hasSlot?: true
  /** What an installation changes in the client's own ways. */
  set?: (home: string) => Promise<void>
  first: (prompt: string) => string[]
  again: (prompt: string) => string[]
  /** What it does by itself, with us or without, when the provider refuses a request for its size. */
  afterOverflow: { exitCode: number; compacts: boolean; learns?: true }
  /** Makes it compact because somebody asks for it. */
  compact: (place: CompactPlace) => Promise<void>
}
