import { contextOf } from '../../log/context.ts'
import { unitsOf } from '../../log/steps.ts'
import { measure, measureFrame, type Measurement } from '../../compaction/plan/measure.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { planInputFor } from '../../session/once/compact-log.ts'
import { realCounter } from '../real-counter.ts'
import { usableOf } from '../keep-policy.ts'
import { frameOf } from '../session-frame.ts'
import { callShares } from './calls.ts'
import { prunableOf, type Prunable } from './prunable.ts'
import { roleShares } from './roles.ts'
import { turnsOf, type Turn } from './turns.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { FileFact, RuleFact } from '../../facts/facts.ts'
import type { SessionInput } from '../input/read-input.ts'
import type { WindowChoice } from '../window-choice.ts'
import type { Share } from './shares.ts'

/** What fills a context, in tokens by our own count. */
export interface Inspection {
  /** Of the next request: system prompt, tools and messages. */
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
  /** What paths are shown from. */
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
  const rendered = renderContext(context.items, summaryRoleOf(policy))
  const index = input.index()
  const fixed = measureFrame(frame, counter)
  const roles = roleShares(rendered, context, session.log, counter)
  const system = fixed.system + fixed.tools
  if (system > 0) roles.push({ name: 'system prompt', tokens: system, count: 1 })
  const usable = usableOf(window, policy)
  const root = index.root || session.facts.directory
  return {
    tokens: roles.reduce((sum, { tokens }) => sum + tokens, 0),
    usable,
    measurement: measure(context, frame, input.counter, summaryRoleOf(policy)),
    messages: rendered.messages.length,
    roles: roles.sort((a, b) => b.tokens - a.tokens),
    ...callShares(units, root, counter, policy),
    turns: turnsOf(units, rendered, counter),
    prunable: prunableOf(units, context, policy, { usable, counter: input.counter }),
    rules: index.rules,
    changed: [...index.files.values()].filter(({ state }) => state !== 'read'),
    root,
  }
}
