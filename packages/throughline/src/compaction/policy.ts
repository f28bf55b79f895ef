import { continueTask, type ContinuationStrategy } from './continuation/continuation.ts'
import { cutBySteps, type CutStrategy } from './cut/cut.ts'
import { tailBudget } from './cut/tail-budget.ts'
import { prunedTranscript, type TranscriptStrategy } from './summary/transcript.ts'
import { protectedTools, recentOutputs } from './prune/protected.ts'
import { pruneToLowWater, type PruneStrategy } from './prune/prune.ts'
import { summaryAsUser, type SummaryRole } from './render/summary-block.ts'
import { defaultTemplate, type Template } from './summary/template.ts'
import type { ToolLens } from '../facts/lens.ts'
import { reservedTokens, type Window } from '../tokens/window.ts'

/**
 * Everything that may be decided in another way, as plain numbers and functions. All sizes
 * are in tokens of the session's model, as its windows and its usage are.
 */
export interface Policy {
  /** Whether anything may happen without being asked for. */
  auto: boolean
  /** What is kept free for the model's answer. */
  reserved: (window: Window) => number
  /** A request of this size or more is compacted first. */
  threshold: (usable: number) => number
  /**
   * From this size on a summary is prepared beside the running agent, if a model writes it; never
   * where it is not below the threshold.
   */
  prepareAt: (usable: number) => number
  /** What the next request must come down to. */
  lowWater: (usable: number) => number
  /** The most that summary and tail may hold together. */
  keep: (usable: number) => number
  /** The most that the tail may hold, of what is kept. */
  tail: (usable: number, keep: number) => number
  /** Turns whose human messages the tail keeps word for word. */
  tailTurns: number
  /** So many media that were answered stay in the tail, the newest, while they fit. */
  olderMedia: number
  /** The newest outputs that pruning never touches. */
  recent: (usable: number) => number
  /** Steps that pruning never touches, however large. */
  recentSteps: number
  /** Tools whose results are instructions to the agent; any case. */
  protectedTools: readonly string[]
  /** The most that rules and pins may hold together. */
  standing: (usable: number) => number
  /**
   * Of what a model's summary may take, the part that is for names which the record holds; they get
   * what the model leaves, too. With 0 there are none.
   */
  names: (room: number) => number
  /** Summary attempts of one compaction. */
  attempts: number
  /** After `failures` in a row, `pause` compactions go straight to the local summarizer. */
  breaker: { failures: number; pause: number }
  template: Template
  lenses: readonly ToolLens[]
  prune: PruneStrategy
  cut: CutStrategy
  /** What a summarizer reads of the head. */
  transcript: TranscriptStrategy
  continuation: ContinuationStrategy
  summaryRole: SummaryRole
  /**
   * By which name the model calls the tool that reads back, so that it is told of it; nothing is
   * said of a tool that is not there.
   */
  recallTool: string | undefined
  /** What differs for models whose name begins so; the longest beginning wins. */
  models: Readonly<Record<string, Partial<Policy>>>
}

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high)

/** The defaults, each with its source. */
export const defaultPolicy: Policy = {
  auto: true,
  // Seed T8: 20,000. At most a quarter of the window, so that an 8k model works (openclaw).
  reserved: (window) => reservedTokens(window),
  // Seed T8, FM-3: at `>=`, not `>`.
  threshold: (usable) => usable,
  // Aider and Copilot CLI summarize beside the agent, too. What comes until the threshold has to
  // stand below the low-water mark with the summary: of 50%, 30% may come, and 20% is left for it.
  prepareAt: (usable) => Math.floor(usable * 0.7),
  // Half of usable, so that the next compaction is far away (opencode #27924, #31152: loops).
  lowWater: (usable) => Math.floor(usable / 2),
  keep: (usable) => clamp(Math.floor(usable * 0.4), 4_000, 20_000),
  tail: tailBudget,
  // Seed T9: two user turns.
  tailTurns: 2,
  // Claude Code keeps a few images; each costs about 1,500 tokens.
  olderMedia: 2,
  recent: recentOutputs,
  recentSteps: 2,
  protectedTools,
  standing: (usable) => Math.floor(usable / 4),
  // A model writes no more for having more room (2,800 tokens is the middle of the recorded
  // summaries), and it forgets the names: `npm run bench`, with and without them.
  names: (room) => Math.floor(room / 2),
  attempts: 4,
  // Claude Code stops after three failures in a row.
  breaker: { failures: 3, pause: 10 },
  template: defaultTemplate,
  lenses: [],
  prune: pruneToLowWater,
  cut: cutBySteps,
  transcript: prunedTranscript,
  continuation: continueTask,
  summaryRole: summaryAsUser,
  recallTool: undefined,
  models: {},
}

/** The policy for one model. */
export function policyFor(policy: Policy, model: string | undefined): Policy {
  if (model === undefined) return policy
  const beginnings = Object.keys(policy.models).filter((beginning) => model.startsWith(beginning))
  const longest = beginnings.reduce((a, b) => (b.length > a.length ? b : a), '')
  const own = policy.models[longest]
  return own ? { ...policy, ...own } : policy
}
