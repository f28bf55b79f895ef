import { replyParts, type Edit } from './edits.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'
import type { Printed } from './printed.ts'

/** A reply whose edits are calls, and what came of each. */
interface AnsweredReply {
  parts: AssistantPart[]
  results: { toolCallId: string; output: ToolOutput }[]
  /** What was printed and is no result. */
  rest: readonly string[]
}

/**
 * A reply with what aider printed after it. An edit that aider applied or refused is a call with
 * its result; one that it passed over, as where only a question was asked, stays text.
 */
export function answeredReply(
  reply: string,
  { applied, refused, rest }: Printed,
  newId: () => string,
): AnsweredReply {
  const parts: AssistantPart[] = []
  const results: AnsweredReply['results'] = []
  const paths: ReadonlySet<string> = new Set(applied)
  const unseen = new Set(applied)
  const byName = new Map(applied.map((path) => [nameIn(path), path]))
  let told = false
  const call = (toolName: string, input: object, output: ToolOutput): void => {
    const toolCallId = newId()
    parts.push({ type: 'tool-call', toolCallId, toolName, input })
    results.push({ toolCallId, output })
  }
  // Aider finds a file by the end of its path.
  const appliedPath = (path: string): string | undefined => {
    const found = byName.get(nameIn(path))
    if (found === undefined || found === path) return found
    return paths.has(path) ? path : found.endsWith(`/${path}`) ? found : undefined
  }
  for (const part of replyParts(reply)) {
    const path = part.type === 'edit' ? appliedPath(part.path) : undefined
    if (part.type === 'text') addText(parts, part.text)
    else if (path !== undefined) {
      unseen.delete(path)
      call(...editCall(part, path), { type: 'text', value: `Applied edit to ${path}` })
    } else if (refused) {
      const value = told ? 'The edit was not applied.' : rest.join('\n')
      told = true
      call(...editCall(part, part.path), { type: 'error-text', value })
    } else addText(parts, part.source)
  }
  // Written whole or as a diff, in a form that is not taken apart.
  for (const path of unseen) {
    call('edit_file', { file_path: path }, { type: 'text', value: `Applied edit to ${path}` })
  }
  return { parts, results, rest: told ? [] : rest }
}

function addText(parts: AssistantPart[], text: string): void {
  const last = parts.at(-1)
  if (last?.type === 'text') last.text += `\n\n${text}`
  else parts.push({ type: 'text', text })
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function editCall({ search, replace }: Edit, path: string): [toolName: string, input: object] {
  return search === ''
    ? ['write_file', { file_path: path, content: replace }]
    : ['search_replace', { file_path: path, old_string: search, new_string: replace }]
}
