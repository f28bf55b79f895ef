import { summaryProblems } from './check.ts'
import { repairSummary, type RepairInput } from './repair.ts'

/** A summary made fit to replace history, or what keeps it from that. */
export type CheckedSummary = { summary: string } | { problems: string[] }

/** Checks a text and repairs it from the record. */
export function checkedSummary(text: string, input: RepairInput): CheckedSummary {
  const problems = summaryProblems({ text, finish: 'stop' }, input)
  if (problems.length > 0) return { problems }
  const summary = repairSummary(text.trim(), input)
  if (summary !== undefined) return { summary }
  return { problems: ['what had to be added from the record did not fit beside it'] }
}
