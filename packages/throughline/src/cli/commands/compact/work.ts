import { contextOf } from '../../../log/context/context.ts'
import { measureItems } from '../../../compaction/measure/measure.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { planInputFor } from '../../../session/once/plan-input.ts'
import { realCounter, ratioOf } from '../../sizes/real-counter.ts'
import { policyKeeping } from '../../sizes/keep-policy.ts'
import { frameOf } from '../../source/session-found.ts'
import { draftOf } from '../../../log/entry.ts'
import { inStore } from '../../store/open-store.ts'
import { whileWriting } from '../../terminal/status-line.ts'
import type { Context } from '../../../log/context/context.ts'
import type { CompactLogOptions, CompactedLog } from '../../../session/once/compact-log.ts'
import type { RealCounter } from '../../sizes/real-counter.ts'
import type { ModelTokens } from '../../../tokens/units.ts'
import type { Policy } from '../../../compaction/policy.ts'
import type { Template } from '../../../compaction/summary/template.ts'
import type { Summarizer } from '../../../compaction/summary/with-model/summarizer.ts'
import type { Plugin } from '../../../session/plugins/plugin.ts'
import type { PlanInput } from '../../../compaction/plan/plan.ts'
import type { Trigger } from '../../../compaction/trigger.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { WindowChoice } from '../../sizes/window-choice.ts'
import type { GoesTo } from '../../written/goes-to.ts'
import type { CompactSettings } from './settings.ts'
import type { Entry } from '../../../log/entry.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { Io } from '../../io.ts'

/** Everything that a compaction of a session needs. */
interface Circumstances {
  choice: WindowChoice
  /** The policy without `--keep`. */
  policy: Policy
  template: Template | undefined
  /** The options besides policy and template. */
  plugins: readonly Plugin[]
  /** Where the session written from it continues. */
  goesTo: GoesTo | undefined
  /** Asked for the summary; without it, no model is. */
  summarizer: Summarizer | undefined
}

/** A session to compact, and its size before. */
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
  const { choice, policy, summarizer } = circumstances
  const context = contextOf(session.log)
  const input = planInputFor(session.log, {
    ...frameOf(session.facts),
    window: choice.window,
    policy: policyKeeping(policy, settings.keep),
    ratio: ratioOf(session),
  })
  const before = measureItems(context.items, input.counter, summaryRoleOf(policy))
  const asked = !settings.ifNeeded || (settings.keep !== undefined && before > settings.keep)
  const trigger = asked ? 'manual' : 'auto'
  const counter = realCounter(input.counter)
  return {
    session,
    settings,
    ...circumstances,
    input: { ...input, trigger, summarizer },
    context,
    counter,
    before,
    trigger,
  }
}

/** The core's options for keeping at most `keep` tokens. */
export function optionsFor(
  { session, settings, choice, policy, template, plugins, summarizer, trigger, input }: Work,
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
    // A command that only prints gives the same output for the same file at any time.
    ...(session.stored !== undefined && { now: Date.now() }),
    ...(settings.focus !== undefined && { focus: settings.focus }),
    ...(template && { template }),
    ...(summarizer && { summarizer }),
  }
}

/** The entries that a compaction added to the log of its session. */
export function addedTo({ log }: Pick<SessionInput, 'log'>, result: CompactedLog): Entry[] {
  return result.log.slice(log.length)
}

/**
 * Saves a compaction in its stored session; a session from a file is left unchanged.
 * @throws StoreConflictError, SessionRemovedError if someone has changed it in the meantime.
 */
export async function commit(
  session: SessionInput,
  result: CompactedLog,
  configuration: Configuration,
  io: Io,
): Promise<void> {
  const { stored, log, name } = session
  const drafts = addedTo(session, result).map(draftOf)
  const newest = log.at(-1)
  if (stored === undefined || newest === undefined || drafts.length === 0) return
  const { seq, at } = newest
  await inStore(configuration, io, (store) =>
    whileWriting(io, `saving the compaction of ${name}`, () =>
      store.append(stored, drafts, { newest: seq, holds: { seq, at } }),
    ),
  )
}
