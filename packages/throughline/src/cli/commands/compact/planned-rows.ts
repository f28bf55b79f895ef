import { plannedItems, type PlannedItem } from '../../../compaction/plan/explain-plan.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { unitsOf } from '../../../log/steps.ts'
import type { CompactedLog } from '../../../session/once/compact-log.ts'
import type { Work } from './work.ts'

/** What a finished compaction did to every message, according to its entry in the log. */
export function rowsDone({ context, input }: Work, { log, report }: CompactedLog): PlannedItem[] {
  const newest = report.action === 'none' ? undefined : log.at(-1)
  const decided =
    newest?.kind === 'checkpoint'
      ? { tail: newest.tail }
      : { replacements: newest?.kind === 'prune' ? newest.replacements : [] }
  const { counter } = input
  const summaryRole = summaryRoleOf(input.policy)
  return plannedItems(unitsOf(context.items), decided, { counter, summaryRole })
}

/** The totals of the rows with one action. */
export interface ActionTotal {
  action: PlannedItem['action']
  messages: number
  before: number
  after: number
}

const actions = ['kept', 'clipped', 'pruned', 'summarized', 'replaced'] as const

export function totalsOf(rows: readonly PlannedItem[]): ActionTotal[] {
  return actions.flatMap((action) => {
    const own = rows.filter((row) => row.action === action)
    if (own.length === 0) return []
    const before = own.reduce((sum, row) => sum + row.before, 0)
    const after = own.reduce((sum, row) => sum + row.after, 0)
    return [{ action, messages: own.length, before, after }]
  })
}
