import { madeParts, saidParts } from '../conversation/said-parts.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

const taskStart = '--------------------- NEW TASK DESCRIPTION ---------------------\n'
const taskEnd = '\n--------------------- END OF NEW TASK DESCRIPTION ---------------------'

/** A user's text, divided into what the human said and what the harness added. */
export function textParts(text: string): OriginPart[] {
  return behindExample(text) ?? saidParts(text)
}

/** For models without tools, the first task follows an example of how to write calls. */
export function behindExample(text: string): OriginPart[] | undefined {
  if (!text.startsWith("Here's a running example of how to perform a task")) return undefined
  const start = text.indexOf(taskStart) + taskStart.length
  const end = text.lastIndexOf(taskEnd)
  if (start < taskStart.length || end <= start) return undefined
  return [
    ...madeParts(text.slice(0, start)),
    ...saidParts(text.slice(start, end)),
    ...madeParts(text.slice(end)),
  ]
}
