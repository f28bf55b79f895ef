import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { notes } from './message.ts'
import { partsText } from '../text-pieces.ts'
import { writeAssistant } from './write-answer.ts'
import { writeResult } from './tool-results.ts'
import { writeUserPart } from './user-parts.ts'
import type { Message } from '../../log/message.ts'
import type { Writing } from '../writing.ts'

/** A message of ours as Chat Completions has it: results are a message each. */
export function writeMessage(message: Message, place: string, writing: Writing): Fields[] {
  const { rest, role, parts } = notes.of(message)
  switch (message.role) {
    case 'system': {
      const content = partsText(parts) === message.content ? (parts ?? '') : message.content
      return [{ role: nameOf(role) ?? 'system', content, ...fieldsOf(rest) }]
    }
    case 'user': {
      const content =
        typeof message.content === 'string'
          ? message.content
          : message.content.map((part, index) =>
              writeUserPart(part, `${place}.content[${index}]`, writing),
            )
      return [{ role: 'user', content, ...fieldsOf(rest) }]
    }
    case 'assistant':
      return [writeAssistant(message, place, writing)]
    case 'tool':
      return message.content.flatMap((part, index) => {
        const at = `${place}.content[${index}]`
        if (part.type === 'tool-result') return [writeResult(part, at, writing)]
        writing.instead({ place: at, problem: 'Chat Completions has no approvals' })
        return []
      })
  }
}
