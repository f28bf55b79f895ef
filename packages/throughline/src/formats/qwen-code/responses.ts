import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { outputOf } from '../gemini-cli/tool-output.ts'
import type { Result } from '../conversation/conversation.ts'

/** The results of calls among these parts; media behind a response belong to it. */
export function resultsIn(parts: readonly Fields[], failed: boolean): Omit<Result, 'at'>[] {
  const groups: Fields[][] = []
  for (const part of parts) {
    if (fieldsOf(part['functionResponse'])) groups.push([part])
    else if (part['text'] === undefined) groups.at(-1)?.push(part)
  }
  return groups.flatMap((group) => {
    const response = fieldsOf(group[0]?.['functionResponse'])
    const toolCallId = nameOf(response?.['id'])
    if (!toolCallId) return []
    return [{ toolCallId, toolName: nameOf(response?.['name']), output: outputOf(group, failed) }]
  })
}
