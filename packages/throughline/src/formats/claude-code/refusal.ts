import { isFailed } from '../writing/output-pieces.ts'
import { outputText } from '../../log/message-text.ts'
import { partsOf, type ToolResultPart } from '../../log/message.ts'
import type { WrittenMessage } from '../writing/format-writer.ts'

type RefusedResult = Pick<ToolResultPart, 'toolName' | 'output'>

const refused = "The user doesn't want to proceed with this tool use."
const saying = 'the user said:\n'
// Texts that the client itself writes in the human's name.
const notTheirs = 'The user wants to clarify these questions.'

// The errors of these begin in words of the client: no file or output can stand there.
const ownTool =
  /^(?:Edit|MultiEdit|Write|NotebookEdit|Read|Glob|Grep|LS|Bash|BashOutput|KillShell|Task|Agent|Task[A-Z]\w{2,20}|TodoWrite|TodoRead|Skill|ExitPlanMode|EnterPlanMode|AskUserQuestion|exit_plan_mode)$/

/**
 * What the human said when they refused a call. Claude Code puts it inside the call's result, but
 * it is a request like any other, and may be the latest. A refused call has failed; what a tool of
 * somebody else says when it fails is its own.
 */
export function refusalWords({ toolName, output }: RefusedResult): string | undefined {
  if (!isFailed(output) || !ownTool.test(toolName)) return undefined
  const text = outputText(output)
  if (!text.startsWith(refused)) return undefined
  const at = text.indexOf(saying)
  if (at === -1) return undefined
  const words = text.slice(at + saying.length).trim()
  return words === '' || words.startsWith(notTheirs) ? undefined : words
}

/** What the human said when refusing a call is in its result, and nowhere else. */
export function withoutRefusals(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.filter(({ message }, index) => {
    const before = messages[index - 1]?.message
    if (message.role !== 'user' || before?.role !== 'tool') return true
    const refusals = new Set(
      before.content.flatMap((part) => (part.type === 'tool-result' ? refusalWords(part) : [])),
    )
    return !partsOf(message).every((part) => part.type === 'text' && refusals.has(part.text))
  })
}
