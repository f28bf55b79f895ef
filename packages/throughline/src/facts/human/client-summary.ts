import { summaryElement } from './client-forms.ts'

/** A summary in a message, in the words in which its client gives it to a model. */
export interface ClientSummary {
  text: string
  /** It has the form of Throughline's, with the client's own words around it. */
  isOwn: boolean
}

/** How clients begin a context with their own summary: `$1` is the summary. */
const forms: readonly RegExp[] = [
  // pi
  /^The conversation history before this point was compacted into the following summary:\s*<summary>\n([^]*)\n<\/summary>\s*$/,
  // Claude Code
  /^This session is being continued from a previous conversation[^\n]*\n([^]*)$/,
  // Codex
  /^Another language model started to solve this problem[^\n]*\n([^]*)$/,
  // Gemini CLI and Qwen Code
  /^<state_snapshot>\n?([^]*?)\n?<\/state_snapshot>/,
]

const own = new RegExp(`^<${summaryElement}>\\n?([^]*?)\\n?</${summaryElement}>`)

/**
 * The summary in a message of a client, where the message is nothing else. Where a session comes as
 * messages, it may be all that is left of what it covers.
 */
export function clientSummaryIn(message: string): ClientSummary | undefined {
  const text = message.trimStart()
  for (const form of forms) {
    const inside = form.exec(text)?.[1]?.trim()
    if (inside === undefined || inside === '') continue
    const ours = own.exec(inside)?.[1]
    return ours === undefined ? { text: inside, isOwn: false } : { text: ours, isOwn: true }
  }
  return undefined
}
