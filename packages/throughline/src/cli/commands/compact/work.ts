import { ContextFloorError } from '../../../compaction/errors.ts'
import { measureItems } from '../../../compaction/measure/measure.ts'
import { planCompaction } from '../../../compaction/plan/plan-compaction.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { pluginsOf, policyOf, templateOf } from '../../../config/policy-of.ts'
import { contextOf, type Context } from '../../../log/context/context.ts'
import { draftOf, type Entry } from '../../../log/entry.ts'
import { planInputFor } from '../../../session/once/plan-input.ts'
import { CommandError } from '../../errors.ts'
import { checkKeep, policyKeeping } from '../../sizes/keep-policy.ts'
import { ratioOf, realCounter, type RealCounter } from '../../sizes/real-counter.ts'
import { chooseWindow, windowElsewhere, type WindowChoice } from '../../sizes/window-choice.ts'
import { frameOf } from '../../source/session-found.ts'
import { inStore } from '../../store/open-store.ts'
import { whileComputing, whileWriting } from '../../terminal/status-line.ts'
import { handoverFor, type Handover } from '../../written/handover.ts'
import { summarizerFor } from './model/summarizer-for.ts'
import type { Plan, PlanInput } from '../../../compaction/plan/plan.ts'
import type { Policy } from '../../../compaction/policy.ts'
import type { Template } from '../../../compaction/summary/template.ts'
import type { Summarizer } from '../../../compaction/summary/with-model/summarizer.ts'
import type { Trigger } from '../../../compaction/trigger.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { CompactLogOptions, CompactedLog } from '../../../session/once/compact-log.ts'
import type { Plugin } from '../../../session/plugins/plugin.ts'
import type { ModelTokens } from '../../../tokens/units.ts'
import type { WrittenSession } from '../../../formats/writing/format-writer.ts'
import type { SessionInput } from '../../source/read-session.ts'
import type { Io } from '../../io.ts'
import type { CompactSettings } from './settings.ts'

/** A session to compact, and everything that its compaction needs. */
export interface Work {
  session: SessionInput
  settings: CompactSettings
  choice: WindowChoice
  /** The policy without `--keep`. */
  policy: Policy
  template: Template | undefined
  plugins: readonly Plugin[]
  /** How the session is written for a client; without it, it is printed. */
  handover: Handover | undefined
  /** Asked for the summary; without it, no model is. */
  summarizer: Summarizer | undefined
  input: PlanInput
  context: Context
  /** How figures are counted for the user. */
  counter: RealCounter
  /** Tokens of the messages that the model sees: estimated, in tokens of the model. */
  before: ModelTokens
  trigger: Trigger
}

export interface Compacted {
  result: CompactedLog
  /** Tokens of the messages that the model sees now: estimated, in tokens of the model. */
  after: ModelTokens
  /** Tokens of the messages as they are printed, with refs that name their log. */
  printedTokens: ModelTokens
  /** The session that is written for a client; without it, the text is printed. */
  session: WrittenSession | undefined
  text: string
}

/**
 * Measures a session that was read, for a compaction with these settings.
 * @throws UsageError, CommandError
 */
export async function openWork(
  session: SessionInput,
  settings: CompactSettings,
  configuration: Configuration,
  io: Io,
): Promise<Work> {
  const { command, written, keep } = settings
  const choose = written?.tools === 'handed over' ? windowElsewhere : chooseWindow
  const choice = choose(settings.window, session.facts, configuration)
  const policy = policyOf(configuration, session.facts.model)
  const handover = written && (await handoverFor(written, session, io))
  const summarizer = settings.model && (await summarizerFor(settings.model))
  checkKeep(command, keep, choice.window, policy)
  return whileComputing(io, `measuring ${session.name}`, () => {
    const context = contextOf(session.log)
    const input = planInputFor(session.log, {
      ...frameOf(session.facts),
      window: choice.window,
      policy: policyKeeping(policy, keep),
      ratio: ratioOf(session),
    })
    const before = measureItems(context.items, input.counter, summaryRoleOf(policy))
    const isAsked = !settings.ifNeeded || (keep !== undefined && before > keep)
    const trigger = isAsked ? 'manual' : 'auto'
    return {
      session,
      settings,
      choice,
      policy,
      template: templateOf(configuration),
      plugins: pluginsOf(configuration),
      handover,
      summarizer,
      input: { ...input, trigger, summarizer },
      context,
      counter: realCounter(input.counter),
      before,
      trigger,
    }
  })
}

/** The core's options for keeping at most `keep` tokens. */
export function optionsFor(
  { session, settings, choice, policy, template, plugins, summarizer, trigger, input }: Work,
  keep: number | undefined,
  signal: AbortSignal,
): CompactLogOptions {
  const { focus } = settings
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
    ...(focus !== undefined && { focus }),
    ...(template && { template }),
    ...(summarizer && { summarizer }),
  }
}

/** @throws CommandError if nothing could make the session fit. */
export function planOf(work: Work): Plan {
  const { input, session } = work
  try {
    return planCompaction(input)
  } catch (error) {
    if (!(error instanceof ContextFloorError)) throw error
    throw new CommandError(`${session.name}: ${error.message}`, { cause: error })
  }
}

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
