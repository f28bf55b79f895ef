import { explainPlan } from '../../../compaction/plan/explain-plan.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { retainedIn } from '../../sizes/retained.ts'
import { addedTo, type Work } from './work.ts'
import { totalsDone } from './compact-lines.ts'
import type { PlannedCut } from '../../../compaction/cut/planned-cut.ts'
import type { Plan } from '../../../compaction/plan/plan.ts'
import type { CompactedLog } from '../../../session/once/compact-log.ts'
import type { Message } from '../../../log/message.ts'

/** The object printed by `--json`, as described in `docs/compact-json.schema.json`. */
export function compactJson(
  work: Work,
  done: { result: CompactedLog; after: number; messages: readonly Message[] } | { plan: Plan },
) {
  const plan = planJson(work, 'plan' in done ? done.plan : done.result.plan)
  if ('plan' in done) return { version: 1, plan, report: null, summary: null, messages: null }
  const { result, after, messages } = done
  return {
    version: 1,
    plan,
    report: reportJson(work, result, after),
    summary: result.context.checkpoint?.summary ?? null,
    messages,
  }
}

function planJson({ context, input, choice }: Work, plan: Plan) {
  const { counter } = input
  const summaryRole = summaryRoleOf(input.policy)
  return {
    action: plan.action,
    reason: plan.action === 'none' ? plan.reason : null,
    trigger: plan.trigger,
    window: { ...choice.window, from: choice.from },
    measurement: plan.measurement,
    budget: plan.budget,
    floor: plan.action === 'none' ? null : plan.floor,
    weighed: (plan.action !== 'none' && plan.weighed) || null,
    cut: plan.action === 'summarize' ? cutJson(plan.cut) : null,
    dropped: plan.action === 'none' ? null : plan.dropped,
    items: explainPlan(plan, context, { counter, summaryRole }).map(roundedRow),
  }
}

function cutJson({ through, tailTokens, summaryBudget }: PlannedCut) {
  return { through, tailTokens, summaryBudget }
}

function roundedRow<Row extends { before: number; after: number }>(row: Row): Row {
  return { ...row, before: Math.round(row.before), after: Math.round(row.after) }
}

function reportJson(work: Work, result: CompactedLog, after: number) {
  const { report } = result
  const { session, before, input } = work
  return {
    action: report.action,
    reason: report.reason ?? null,
    rung: report.rung ?? null,
    summarizer: report.summarizer ?? null,
    tokens: { before, after },
    actions: totalsDone(work, result).map(roundedRow),
    dropped: report.dropped,
    retained: retainedIn(result.messages, input.facts()),
    attempts: report.attempts,
    session: {
      name: session.name,
      format: session.format,
      id: session.facts.id ?? null,
      model: session.facts.model ?? null,
      entries: session.log.length,
    },
    skipped: { count: session.skippedCount, lines: session.skipped },
    stored: storedJson(work, result),
  }
}

function storedJson({ session }: Work, result: CompactedLog) {
  const seqs = addedTo(session, result).map(({ seq }) => seq)
  return session.stored === undefined || seqs.length === 0
    ? null
    : { session: session.stored, seqs }
}
