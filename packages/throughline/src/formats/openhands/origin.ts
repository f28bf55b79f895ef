import type { OriginPart } from '../conversation/user-messages.ts'

/** What OpenHands writes in the user's role begins with one of these. */
const harnessStarts: readonly string[] = [
  'EXECUTION RESULT of [',
  'Please continue working on the task on whatever approach you think is suitable.',
  'User executed the command:\n',
  'Observed result of command executed by user:\n',
]

const taskStart = '--------------------- NEW TASK DESCRIPTION ---------------------\n'
const taskEnd = '\n--------------------- END OF NEW TASK DESCRIPTION ---------------------'

/** A user's text, divided into what the human said and what the harness added. */
export function textParts(text: string): OriginPart[] {
  if (text === '') return []
  const start = text.slice(0, 200).trimStart()
  if (harnessStarts.some((sign) => start.startsWith(sign))) return [partOf('harness', text)]
  return behindExample(text) ?? [partOf('human', text)]
}

/** For models without tools, the first task follows an example of how to write calls. */
function behindExample(text: string): OriginPart[] | undefined {
  if (!text.startsWith("Here's a running example of how to perform a task")) return undefined
  const start = text.indexOf(taskStart) + taskStart.length
  const end = text.lastIndexOf(taskEnd)
  if (start < taskStart.length || end <= start) return undefined
  return [
    partOf('harness', text.slice(0, start)),
    partOf('human', text.slice(start, end)),
    partOf('harness', text.slice(end)),
  ]
}

function partOf(origin: 'harness' | 'human', text: string): OriginPart {
  return { origin, part: { type: 'text', text } }
}
