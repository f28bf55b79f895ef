import { coldCache, type ColdStrategy } from './cold-cache.ts'
import type { Economy } from './plan/break-even.ts'
import { pruneWhereItPays, type PruneAloneStrategy } from './plan/prune-pays.ts'
import { continueTask, type ContinuationStrategy } from './continuation/continuation.ts'
import { cutBySteps, type CutStrategy } from './cut/cut.ts'
import { tailBudget } from './cut/tail-budget.ts'
import { prunedTranscript, type TranscriptStrategy } from './summary/transcript.ts'
import { protectedTools, recentOutputs } from './prune/protected.ts'
import { pruneToLowWater, type PruneStrategy } from './prune/prune.ts'
import { summaryAsUser, type SummaryRole } from './render/summary-block.ts'
import type { Template } from './summary/template.ts'
import type { ToolLens } from '../facts/lens.ts'
import { reservedTokens, type Window } from '../tokens/window.ts'

/**
 * Everything that can be decided differently, as plain numbers and functions. All sizes are in
 * tokens of the session's model, like its window and its usage.
 */
export interface Policy {
  /** Whether anything may be compacted unless someone asks for it. */
  auto: boolean
  /** Tokens reserved for the model's answer. */
  reserved: (window: Window) => number
  /** A request of this size or more is compacted first. */
  threshold: (usable: number) => number
  /**
   * From this size on, a model's summary is prepared in the background; never if this size isn't
   * below the threshold.
   */
  prepareAt: (usable: number) => number
  /**
   * When a provider's cache counts as expired. From `prepareAt` on, a context whose cache has
   * expired is compacted early, because the whole request is paid in full anyway.
   */
  cold: ColdStrategy
  /**
   * If it is set, a request is compacted at the size that costs least, given the provider's prices,
   * its cache and the session's pace, and at the threshold at the latest.
   */
  economy: Economy | undefined
  /** The size to which a compaction must reduce the next request. */
  lowWater: (usable: number) => number
  /** The most that summary and tail may hold together. */
  keep: (usable: number) => number
  /** The most that the tail is planned to take of what is kept. */
  tail: (usable: number, keep: number) => number
  /** The most that the tail takes where a local summary needs less room than it was given. */
  longestTail: (usable: number, keep: number) => number
  /** How many turns' human messages the tail keeps word for word. */
  tailTurns: number
  /** How many of the newest answered media stay in the tail, if they fit. */
  olderMedia: number
  /** The newest outputs that pruning never touches. */
  recent: (usable: number) => number
  /** How many of the newest steps pruning never touches, however large they are. */
  recentSteps: number
  /** Tools whose results are instructions to the agent, in upper or lower case. */
  protectedTools: readonly string[]
  /** The most that rules and pins may hold together. */
  standing: (usable: number) => number
  /**
   * The most that names from the log may take of a model's summary budget. Statements come first,
   * and names take only the room that is left. With 0, no names are added.
   */
  names: (room: number) => number
  /**
   * When the provider's own compaction is tried, if the session has one: before a model is asked
   * for a summary, or after that has failed.
   */
  providerCompaction: 'before' | 'behind' | 'never'
  /** Summary attempts per compaction. */
  attempts: number
  /** After `failures` in a row, `pause` compactions go straight to the local summarizer. */
  breaker: { failures: number; pause: number }
  /** How long a compaction may wait for summaries, in milliseconds, however often one is asked for. */
  summaryTimeout: number
  /** How long a plugin's hook may take, in milliseconds. */
  hookTimeout: number
  /** How long the store may take for an answer, in milliseconds. */
  storeTimeout: number
  /** The form of a summary; the core sections by default. */
  template: Template | undefined
  lenses: readonly ToolLens[]
  prune: PruneStrategy
  /**
   * Whether old outputs are pruned without a summary, where that alone makes enough room; else the
   * summary comes at once.
   */
  pruneAlone: PruneAloneStrategy
  cut: CutStrategy
  /** What a summarizer reads of the head. */
  transcript: TranscriptStrategy
  continuation: ContinuationStrategy
  summaryRole: SummaryRole
  /**
   * The model's name for the recall tool, so that texts can mention it; without a name, none is
   * mentioned.
   */
  recallTool: string | undefined
  /** Changes for models whose name begins with the key; the longest match wins. */
  models: Readonly<Record<string, Partial<Policy>>>
}

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high)

/** A model's summary with less room than this has none for names: each costs a statement. */
const roomForNames = 3_000

/** The defaults, each with its source. */
export const defaultPolicy: Policy = {
  auto: true,
  // Seed T8: 20,000. At most a quarter of the window, so that an 8k model works (openclaw).
  reserved: (window) => reservedTokens(window),
  // Seed T8, FM-3: at `>=`, not `>`.
  threshold: (usable) => usable,
  // Aider and Copilot CLI also summarize in the background. Whatever arrives before the threshold
  // must fit below the low-water mark (50%) together with the summary: 30% for the new messages
  // leaves 20% for the summary.
  prepareAt: (usable) => Math.floor(usable * 0.7),
  // Two thirds of one user's cache writes came from 36 such moments (claude-code #94177), one of them
  // a pruning two calls after a cold start.
  cold: coldCache,
  // Half of usable, so that the next compaction is far away (opencode #27924, #31152: loops).
  lowWater: (usable) => Math.floor(usable / 2),
  // What is saved is not worth more compactions to everyone: `presets.economic` has it.
  economy: undefined,
  keep: (usable) => clamp(Math.floor(usable * 0.4), 4_000, 20_000),
  tail: tailBudget,
  longestTail: (_, keep) => keep,
  // Seed T9: two user turns.
  tailTurns: 2,
  // Claude Code keeps a few images; each costs about 1,500 tokens.
  olderMedia: 2,
  recent: recentOutputs,
  recentSteps: 2,
  protectedTools,
  standing: (usable) => Math.floor(usable / 4),
  // Names without a statement hardly help: blind readers answered 87% from a summary half of which
  // was names, and 92% from one without any.
  names: (room) => (room < roomForNames ? 0 : Math.floor(room / 10)),
  // A session that is given its provider's compaction uses it; our own summary is then made by code.
  providerCompaction: 'before',
  attempts: 4,
  // Claude Code stops after three failures in a row.
  breaker: { failures: 3, pause: 10 },
  // Long summaries of reasoning models take up to two minutes for each request, and a long head
  // takes several requests.
  summaryTimeout: 300_000,
  hookTimeout: 30_000,
  // A busy SQLite gives up by itself after five seconds; a redaction of a large session takes longer.
  storeTimeout: 120_000,
  template: undefined,
  lenses: [],
  prune: pruneToLowWater,
  // Pruned alone, the requests to come are larger, and the next compaction is nearer.
  pruneAlone: pruneWhereItPays,
  cut: cutBySteps,
  transcript: prunedTranscript,
  continuation: continueTask,
  summaryRole: summaryAsUser,
  recallTool: undefined,
  models: {},
}

export function policyFor(policy: Policy, model: string | undefined): Policy {
  if (model === undefined) return policy
  const beginnings = Object.keys(policy.models).filter((beginning) => model.startsWith(beginning))
  const longest = beginnings.reduce((a, b) => (b.length > a.length ? b : a), '')
  const own = policy.models[longest]
  return own ? { ...policy, ...own } : policy
}
