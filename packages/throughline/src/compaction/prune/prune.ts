import { outputText } from '../../log/message-text.ts'
import { clipInput } from '../clip/clip-input.ts'
import { clipText } from '../clip/clip.ts'
import { isCall, isReplaced, isResult, locatedParts, type Located } from '../clip/parts.ts'
import { clipNote, placeholder, utf8Bytes } from './placeholder.ts'
import type { Ref, Replacement } from '../../log/entry.ts'
import type { ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { Unit } from '../../log/steps.ts'
import type { Counter } from '../measure/measure.ts'

/** What a pruning works on. Sizes are in tokens. */
export interface PruneInput {
  units: readonly Unit[]
  /** What has to go for the context to reach the low-water mark. */
  need: number
  /** The newest outputs that stay, and the least number of steps that stay. */
  recent: number
  recentSteps: number
  tailTurns: number
  protectedTools: readonly string[]
  /** Parts that are pinned, and parts that a later read or edit made stale. */
  pinned: ReadonlySet<Ref>
  stale: ReadonlySet<Ref>
  counter: Counter
  /** By which name the model calls the tool that reads back, if it has one. */
  recallTool?: string | undefined
}

/** Replacements and the tokens that each of them frees. */
export interface Pruning {
  replacements: Replacement[]
  freed: number
}

/** Prunes a context, or says `undefined` where pruning alone is not enough. */
export type PruneStrategy = (input: PruneInput) => Pruning | undefined

// An output smaller than this costs little more than its placeholder.
const smallest = 100
// What is left of an output that failed, and of each long text in an old input.
const clippedOutput = 200
const clippedLeaf = 60

/**
 * The default (T9): nothing, unless pruning alone reaches the low-water mark; then one
 * batch, since each prune breaks the prompt cache once: stale outputs first, then the
 * oldest, then the inputs of old calls, until the mark is reached.
 */
export const pruneToLowWater: PruneStrategy = (input) => {
  const candidates = pruneCandidates(input)
  const replacements: Replacement[] = []
  let freed = 0
  for (const candidate of candidates) {
    if (freed >= input.need) break
    replacements.push(candidate.replacement)
    freed += candidate.frees
  }
  return freed >= input.need && freed > 0 ? { replacements, freed } : undefined
}

export interface PruneCandidate {
  replacement: Replacement
  frees: number
  tool: string
  stale: boolean
}

/** All that may be pruned, first to go first. */
export function pruneCandidates(input: PruneInput): PruneCandidate[] {
  const protectedTools = new Set(input.protectedTools.map((tool) => tool.toLowerCase()))
  const old = input.units
    .slice(0, recentStart(input))
    .flatMap(locatedParts)
    .filter((located) => !isReplaced(located) && !input.pinned.has(located.ref))
  const results = old
    .filter(isResult)
    .filter(({ part }) => !protectedTools.has(part.toolName.toLowerCase()))
    .flatMap((located) => resultCandidate(located, input))
  const calls = old.filter(isCall).flatMap((located) => callCandidate(located, input))
  return [
    ...results.filter(({ stale }) => stale),
    ...results.filter(({ stale }) => !stale),
    ...calls,
  ]
}

/**
 * Where the recent span begins: at the second-last human message, or later where the
 * outputs since then are worth more than `recent`, but never after the last steps.
 */
export function recentStart(input: PruneInput): number {
  const { units } = input
  let humans = 0
  let steps = 0
  let outputs = 0
  for (let index = units.length - 1; index >= 0; index--) {
    const unit = units[index] as Unit
    if (unit.type === 'step') {
      const size = unit.results.reduce((sum, part) => sum + outputTokens(part, input.counter), 0)
      if (steps >= input.recentSteps && outputs + size > input.recent) return index + 1
      outputs += size
      steps += 1
    }
    if (unit.type === 'human' && ++humans >= input.tailTurns) return index
  }
  return 0
}

function outputTokens(part: ToolResultPart, counter: Counter): number {
  return counter.message({ role: 'tool', content: [part] })
}

function resultCandidate(located: Located<ToolResultPart>, input: PruneInput): PruneCandidate[] {
  const { part, ref } = located
  const { recallTool } = input
  const tokens = outputTokens(part, input.counter)
  if (tokens < smallest) return []
  const text = outputText(part.output)
  const stale = input.stale.has(ref)
  const failed = part.output.type === 'error-text' || part.output.type === 'error-json'
  const replacement: Replacement =
    failed && !stale
      ? {
          how: 'clipped',
          ref,
          text: clipText(text, {
            budget: clippedOutput,
            count: input.counter.text,
            note: clipNote(ref, recallTool),
          }),
        }
      : {
          how: 'pruned',
          ref,
          text: placeholder({ tool: part.toolName, bytes: utf8Bytes(text), ref, recallTool }),
        }
  const frees = tokens - input.counter.text(replacement.text)
  return frees > 0 ? [{ replacement, frees, tool: part.toolName, stale }] : []
}

function callCandidate({ part, ref }: Located<ToolCallPart>, input: PruneInput): PruneCandidate[] {
  const count = input.counter.text
  const clipped = clipInput(part.input, {
    leaf: clippedLeaf,
    count,
    ref,
    recallTool: input.recallTool,
  })
  if (clipped === part.input) return []
  const frees = count(JSON.stringify(part.input)) - count(JSON.stringify(clipped))
  if (frees < smallest) return []
  return [
    {
      replacement: { how: 'clipped', ref, input: clipped },
      frees,
      tool: part.toolName,
      stale: false,
    },
  ]
}
