import { contextOf, type Context } from '../../../log/context.ts'
import { measureItems } from '../../../compaction/measure/measure.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { planInputFor } from '../../../session/once/compact-log.ts'
import { type CompactLogOptions } from '../../../session/once/compact-log.ts'
import { realCounter, type RealCounter } from '../../sizes/real-counter.ts'
import { policyKeeping } from '../../sizes/keep-policy.ts'
import { ratioOf } from '../../sizes/real-counter.ts'
import { frameOf } from '../../source/session-frame.ts'
import type { ModelTokens } from '../../../tokens/units.ts'
import type { Policy } from '../../../compaction/policy.ts'
import type { Template } from '../../../compaction/summary/template.ts'
import type { Plugin } from '../../../session/plugins/plugin.ts'
import type { PlanInput, Trigger } from '../../../compaction/plan/plan.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { WindowChoice } from '../../sizes/window-choice.ts'
import type { GoesTo } from '../../written/goes-to.ts'
import type { CompactSettings } from './settings.ts'

/** What a session is compacted for and by. */
interface Circumstances {
  choice: WindowChoice
  /** As it is without `--keep`. */
  policy: Policy
  template: Template | undefined
  /** What is not in policy and template. */
  plugins: readonly Plugin[]
  /** Where the session goes on that is written of it. */
  goesTo: GoesTo | undefined
}

/** A session that is to be compacted, and what it holds before. */
export interface Work extends Circumstances {
  session: SessionInput
  settings: CompactSettings
  input: PlanInput
  context: Context
  /** How figures are counted for the user. */
  counter: RealCounter
  /** Tokens of the messages that the model sees: estimated, and told as the model counts. */
  before: ModelTokens
  trigger: Trigger
}

export function workOn(
  session: SessionInput,
  settings: CompactSettings,
  circumstances: Circumstances,
): Work {
  const { choice, policy } = circumstances
  const context = contextOf(session.log)
  const input = planInputFor(session.log, {
    ...frameOf(session.facts),
    window: choice.window,
    policy: policyKeeping(policy, settings.keep),
    ratio: ratioOf(session),
  })
  const before = measureItems(context.items, input.counter, summaryRoleOf(policy))
  const asked = settings.force || (settings.keep !== undefined && before > settings.keep)
  const trigger = asked ? 'manual' : 'auto'
  const counter = realCounter(input.counter)
  return {
    session,
    settings,
    ...circumstances,
    input: { ...input, trigger },
    context,
    counter,
    before,
    trigger,
  }
}

/** How the core is asked to do it, keeping at most `keep` tokens. */
export function optionsFor(
  { session, settings, choice, policy, template, plugins, trigger, input }: Work,
  keep: number | undefined,
  signal: AbortSignal,
): CompactLogOptions {
  return {
    ...frameOf(session.facts),
    window: choice.window,
    policy: policyKeeping(policy, keep),
    ratio: input.counter.ratio,
    trigger,
    plugins,
    signal,
    // What only prints says the same of the same file whenever it is asked.
    ...(session.stored !== undefined && { now: Date.now() }),
    ...(settings.focus !== undefined && { focus: settings.focus }),
    ...(template && { template }),
  }
}
