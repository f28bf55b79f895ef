import { contextOf } from '../../../../log/context/context.ts'
import { unitsOf } from '../../../../log/steps.ts'
import { measure, measureFrame } from '../../../../compaction/measure/measure.ts'
import { renderContext } from '../../../../compaction/render/render.ts'
import { summaryRoleOf } from '../../../../compaction/render/summary-block.ts'
import { planInputFor } from '../../../../session/once/plan-input.ts'
import {
  estimatedTokens,
  modelTokens,
  sumEstimated,
  toEstimated,
  toModel,
} from '../../../../tokens/units.ts'
import { realCounter } from '../../../sizes/real-counter.ts'
import { usableOf } from '../../../sizes/keep-policy.ts'
import { frameOf } from '../../../source/session-found.ts'
import { fillings } from '../../../../report/filling.ts'
import { pruneCandidates } from '../../../../compaction/prune/prune.ts'
import { staleRefs } from '../../../../compaction/prune/stale.ts'
import { entryAt } from '../../../../log/order.ts'
import { messageText } from '../../../../log/message.ts'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import type { Context } from '../../../../log/context/context.ts'
import type { Unit } from '../../../../log/steps.ts'
import type { Measurement } from '../../../../compaction/measure/measure.ts'
import type { Rendered } from '../../../../compaction/render/render.ts'
import type { RealCounter } from '../../../sizes/real-counter.ts'
import type { Chronological } from '../../../../log/order.ts'
import type { Counter } from '../../../../tokens/counter.ts'
import type { Policy } from '../../../../compaction/policy.ts'
import type { FileFact, RuleFact } from '../../../../facts/facts.ts'
import type { SessionInput } from '../../../source/read-input.ts'
import type { WindowChoice } from '../../../sizes/window-choice.ts'
import type { AssistantMessage, Message, AssistantPart, ToolPart } from '../../../../log/message.ts'
import type { Seq } from '../../../../log/entry.ts'

/** The part of a context that something takes, in tokens. */
export interface Share {
  name: string
  tokens: number
  /** How many messages, calls or steps it covers. */
  count: number
}

/** Adds up shares by name. */
class Shares {
  readonly #byName = new Map<string, Share>()

  add(name: string, tokens: number, count = 1): void {
    const share = this.#byName.get(name)
    if (share) {
      share.tokens += tokens
      share.count += count
    } else {
      this.#byName.set(name, { name, tokens, count })
    }
  }

  /** Largest first; equal ones by name. */
  sorted(): Share[] {
    return [...this.#byName.values()].sort(
      (a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1),
    )
  }
}

/** The size of one turn in the context: a human message and everything up to the next one. */
export interface Turn {
  /** The entry of the human message, or of the first message if no human began. */
  seq: Seq
  /** The beginning of the human message. */
  text: string
  steps: number
  tokens: number
}

const longestText = 200

/** The turns in the order in which the model sees them. */
export function turnsOf(
  units: readonly Unit[],
  { messages, seqs }: Rendered,
  counter: RealCounter,
): Turn[] {
  const tokens = new Map<Seq, number>()
  messages.forEach((message, index) => {
    const seq = seqs[index] ?? 0
    tokens.set(seq, (tokens.get(seq) ?? 0) + counter.message(message))
  })
  const turns: Turn[] = []
  for (const unit of units) {
    if (unit.type === 'human') {
      const text = sanitizeLine(messageText(unit.message).slice(0, longestText))
      turns.push({ seq: unit.seq, text: text || '(no text)', steps: 0, tokens: 0 })
    } else if (turns.length === 0) {
      turns.push({ seq: unit.item.seq, text: '(before the first turn)', steps: 0, tokens: 0 })
    }
    const turn = turns.at(-1) as Turn
    if (unit.type === 'step') turn.steps += 1
    for (const { seq } of unit.items) {
      turn.tokens += tokens.get(seq) ?? 0
      tokens.delete(seq)
    }
  }
  return turns
}

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
