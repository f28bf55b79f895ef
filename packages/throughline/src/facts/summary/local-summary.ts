import { ofAgent } from '../labels.ts'
import { requestPlace } from '../request-place.ts'
import { refMark } from '../statements/note-statements.ts'

const quotedHead = String.raw`(?:The session began with|The latest request|The request of the human)(?:${refMark})?(?:${ofAgent})?(?:${requestPlace})?:`
const ownGoal = new RegExp(String.raw`(?:^|\n\n)## Goal\n${quotedHead}`)

/**
 * Whether a summary is one that code wrote: its first line introduces a request. Every line
 * of it can be read back into the facts that it came from.
 */
export function isLocalSummary(summary: string): boolean {
  return ownGoal.test(summary.trimStart())
}

const quoted = new RegExp(`^${quotedHead}`)

/** Whether code quotes a request below a line. */
export function isQuotedHead(line: string): boolean {
  return quoted.test(line)
}

/** The head of a request that stands in full elsewhere. */
export const placed = new RegExp(`${requestPlace}:$`)
