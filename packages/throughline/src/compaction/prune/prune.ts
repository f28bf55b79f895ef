import { allSteps, inSteps } from '../../json/all-steps.ts'
import { outputText, type ToolCallPart, type ToolResultPart } from '../../log/message.ts'
import { clipInput } from '../clip/clip-input.ts'
import { clipText, clipNote } from '../clip/clip.ts'
import { newestMemoryViews, outputTokens, unprotected, type Protection } from './protected.ts'
import { estimatedTokens, minus, plus, type EstimatedTokens } from '../../tokens/units.ts'
import type { Located } from '../clip/parts.ts'
import { placeholder, utf8Bytes } from './placeholder.ts'
import type { Ref, Replacement } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'

/** What a pruning works on. Sizes are estimated, as `counter` counts. */
export interface PruneInput extends Protection {
  units: readonly Unit[]
  /** How much must go for the context to reach the low-water mark. */
  need: EstimatedTokens
  /** Parts that a later read or edit made stale. */
  stale: ReadonlySet<Ref>
  /** The model's name for the recall tool, if it has one. */
  recallTool?: string | undefined
}

/** Replacements and what they free together, as the counter of the input counts. */
export interface Pruning {
  replacements: Replacement[]
  freed: EstimatedTokens
}

/** Prunes a context; `undefined` if pruning alone is not enough. */
export type PruneStrategy = (input: PruneInput) => Pruning | undefined

// A smaller output costs little more than its placeholder.
const smallest = estimatedTokens(100)
// How much is kept of a failed output, and of each long text in an old input.
const clippedOutput = estimatedTokens(200)
const clippedLeaf = estimatedTokens(60)

/**
 * The default (T9): nothing, unless pruning alone reaches the low-water mark. Then it prunes one
 * batch, because each prune breaks the prompt cache once: stale outputs first, then the oldest,
 * then the inputs of old calls, until the mark is reached.
 */
export const pruneToLowWater: PruneStrategy = (input) => allSteps(stepsToLowWater(input))

/** The same in steps. */
export function* stepsToLowWater(input: PruneInput): Generator<undefined, Pruning | undefined> {
  const candidates = yield* candidateSteps(input)
  const replacements: Replacement[] = []
  let freed = estimatedTokens(0)
  for (const candidate of candidates) {
    if (freed >= input.need) break
    replacements.push(candidate.replacement)
    freed = plus(freed, candidate.frees)
  }
  return freed >= input.need && freed > 0 ? { replacements, freed } : undefined
}

/** An output or input that may be pruned, and what that would free. */
export interface PruneCandidate {
  replacement: Replacement
  frees: EstimatedTokens
  tool: string
  stale: boolean
}

/** Everything that may be pruned, in the order in which it goes. */
export function pruneCandidates(input: PruneInput): PruneCandidate[] {
  return allSteps(candidateSteps(input))
}

function* candidateSteps(input: PruneInput): Generator<undefined, PruneCandidate[]> {
  const old = yield* unprotected(input.units, input)
  yield
  const views = newestMemoryViews(input.units)
  yield
  const outputs = old.results.filter(({ ref }) => !views.has(ref) || input.stale.has(ref))
  const results = yield* inSteps(outputs, (located) => resultCandidate(located, input))
  const calls = yield* inSteps(old.calls, (located) => callCandidate(located, input))
  return [
    ...results.filter(({ stale }) => stale),
    ...results.filter(({ stale }) => !stale),
    ...calls,
  ]
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
  const left = { ...part, output: { type: 'text', value: replacement.text } } as const
  const frees = minus(tokens, outputTokens(left, input.counter))
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
  const frees = minus(count(JSON.stringify(part.input)), count(JSON.stringify(clipped)))
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
