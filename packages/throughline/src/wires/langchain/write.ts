import { blocksText } from './read.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { notes, writeBlock } from './blocks.ts'
import { writeAnswer } from './write-answer.ts'
import { writeResult } from './tool-results.ts'
import type { Message } from '../../log/message.ts'
import type { Writing } from '../writing.ts'

/** The fields of a message of ours as LangChain has it: results are a message each. */
export function writeMessage(message: Message, place: string, writing: Writing): Fields[] {
  const { messageId, rest, blocks } = notes.of(message)
  const named = messageId !== undefined && { id: messageId }
  switch (message.role) {
    case 'assistant':
      return [writeAnswer(message, place, writing)]
    case 'system': {
      const content =
        Array.isArray(blocks) && blocksText(blocks) === message.content ? blocks : message.content
      return [{ type: 'system', content, ...named, ...fieldsOf(rest) }]
    }
    case 'user': {
      const content =
        typeof message.content === 'string'
          ? message.content
          : message.content.map((part, index) =>
              writeBlock(part, `${place}.content[${index}]`, writing),
            )
      return [{ type: 'human', content, ...named, ...fieldsOf(rest) }]
    }
    case 'tool':
      return message.content.flatMap((part, index) => {
        const at = `${place}.content[${index}]`
        if (part.type === 'tool-result') return [{ ...writeResult(part, at, writing), ...named }]
        const problem = 'LangChain handles approvals differently: there is no such message'
        writing.instead({ place: at, problem })
        return []
      })
  }
}
