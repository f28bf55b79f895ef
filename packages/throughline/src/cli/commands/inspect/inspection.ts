import { contextOf, type Context } from '../../../log/context.ts'
import { unitsOf, type Unit } from '../../../log/steps.ts'
import { measure, type Measurement, measureFrame } from '../../../compaction/measure/measure.ts'
import type { Counter } from '../../../tokens/counter.ts'
import { renderContext, type Rendered } from '../../../compaction/render/render.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { planInputFor } from '../../../session/once/compact-log.ts'
import {
  estimatedTokens,
  modelTokens,
  sumEstimated,
  toEstimated,
  toModel,
} from '../../../tokens/units.ts'
import { realCounter, type RealCounter } from '../../sizes/real-counter.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { frameOf } from '../../source/session-frame.ts'
import { turnsOf, type Turn } from './turns.ts'
import type { Policy } from '../../../compaction/policy.ts'
import type { FileFact, RuleFact } from '../../../facts/facts.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { WindowChoice } from '../../sizes/window-choice.ts'
import { fillings } from '../../../report/fillings.ts'
import { type Share, Shares } from './shares.ts'
import { pruneCandidates } from '../../../compaction/prune/prune.ts'
import { staleRefs } from '../../../compaction/prune/stale.ts'
import type { AssistantMessage, Message, AssistantPart, ToolPart } from '../../../log/message.ts'
import { entryAt, type Chronological } from '../../../log/order.ts'
import type { Seq } from '../../../log/entry.ts'

/** What fills a context: estimated, and told in tokens of the model. */
export interface Inspection {
  /** The tokens of the next request: system prompt, tools and messages. */
  tokens: number
  usable: number
  measurement: Measurement
  messages: number
  roles: Share[]
  tools: Share[]
  files: Share[]
  turns: Turn[]
  prunable: Prunable
  rules: RuleFact[]
  changed: FileFact[]
  /** The directory that paths are shown relative to. */
  root: string | undefined
}

export function inspect(
  session: SessionInput,
  { window }: WindowChoice,
  policy: Policy,
): Inspection {
  const frame = frameOf(session.facts)
  const input = planInputFor(session.log, { ...frame, window, policy })
  const counter = realCounter(input.counter)
  const context = contextOf(session.log)
  const units = unitsOf(context.items)
  const role = summaryRoleOf(policy)
  const rendered = renderContext(context.items, role)
  const facts = input.facts()
  const fixed = measureFrame(frame, input.counter)
  const roles = roleShares(rendered, context, session.log, counter)
  const system = fixed.system + fixed.tools
  if (system > 0) roles.push({ name: 'system prompt', tokens: system, count: 1 })
  const usable = usableOf(window, policy)
  const root = facts.root || session.facts.directory
  return {
    tokens: measure({ ...context, measured: undefined }, frame, input.counter, role).tokens,
    usable,
    measurement: measure(context, frame, input.counter, role),
    messages: rendered.messages.length,
    roles: roles.sort((a, b) => b.tokens - a.tokens),
    ...fillings(units, { sizeOf: (part) => partSize(part, counter), root, lenses: policy.lenses }),
    turns: turnsOf(units, rendered, counter),
    prunable: prunableOf(units, context, policy, { usable, counter: input.counter }),
    rules: facts.rules,
    changed: [...facts.files.values()].filter(({ state }) => state !== 'read'),
    root,
  }
}

/** What pruning could free, in tokens. */
interface Prunable {
  tokens: number
  /** How many outputs and inputs of calls would be pruned or clipped. */
  parts: number
  /** The part of the tokens in outputs that a later read or edit made stale. */
  stale: number
}

function prunableOf(
  units: readonly Unit[],
  context: Context,
  policy: Policy,
  { usable, counter }: { usable: number; counter: Counter },
): Prunable {
  const candidates = pruneCandidates({
    units,
    need: estimatedTokens(Infinity),
    recent: toEstimated(modelTokens(policy.recent(usable)), counter.ratio),
    recentSteps: policy.recentSteps,
    tailTurns: policy.tailTurns,
    protectedTools: policy.protectedTools,
    pinned: new Set([...context.pins.values()].flatMap(({ ref }) => (ref ? [ref] : []))),
    stale: staleRefs(units, policy.lenses),
    counter,
  })
  const sum = (of: typeof candidates): number =>
    toModel(sumEstimated(of.map(({ frees }) => frees)), counter.ratio)
  return {
    tokens: sum(candidates),
    parts: candidates.length,
    stale: sum(candidates.filter(({ stale }) => stale)),
  }
}

/** The size of the context by author. */
export function roleShares(
  { messages, seqs }: Rendered,
  context: Context,
  log: Chronological,
  counter: RealCounter,
): Share[] {
  const shares = new Shares()
  messages.forEach((message, index) => {
    const first = index === 0 && context.items[0]?.type === 'summary'
    const role = first ? 'summary' : roleOf(message, seqs[index] ?? 0, log)
    const tokens = counter.message(message)
    if (message.role !== 'assistant') return shares.add(role, tokens)
    addParts(shares, message, tokens, counter)
  })
  return shares.sorted()
}

function roleOf({ role }: Message, seq: Seq, log: Chronological): string {
  if (role === 'tool') return 'tool results'
  if (role === 'assistant') return 'assistant'
  const entry = entryAt(log, seq)
  if (entry?.kind !== 'message') return 'notes of a compaction'
  return entry.origin === 'human' ? 'human' : 'harness'
}

/** An assistant's message is divided into text, thinking and calls. */
function addParts(
  shares: Shares,
  message: AssistantMessage,
  tokens: number,
  counter: RealCounter,
): void {
  let rest = tokens
  let said = typeof message.content === 'string' ? 1 : 0
  const parts = typeof message.content === 'string' ? [] : message.content
  for (const part of parts) {
    const own = partSize(part, counter)
    if (part.type === 'tool-call') shares.add('tool calls', own)
    else if (part.type === 'reasoning' || part.type === 'reasoning-file')
      shares.add('thinking', own)
    else {
      said += 1
      continue
    }
    rest -= own
  }
  if (said > 0) shares.add('assistant', rest, said)
  // The overhead of the message itself counts toward its first call.
  else shares.add('tool calls', rest, 0)
}

const empty: AssistantMessage = { role: 'assistant', content: [] }

/** What a part adds to its message, in tokens. */
export function partSize(part: AssistantPart | ToolPart, { message: count }: RealCounter): number {
  const message = { ...empty, content: [part] } as AssistantMessage
  return count(message) - count(empty)
}
