import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { notes, readBlock } from './blocks.ts'
import { readAnswer } from './read-answer.ts'
import { readResult } from './tool-results.ts'
import { restOf } from '../note.ts'
import type { Message } from '../../log/message.ts'
import type { OlderCalls } from '../older-calls.ts'
import type { Reading } from '../reading.ts'
import type { ToolNames } from '../tool-names.ts'

/** What a message is read with. */
interface Context {
  names: ToolNames
  older: OlderCalls
  reading: Reading
}

/** The fields of a message of LangChain as a message of ours. */
export function readMessage(
  fields: Fields,
  { names, older, reading }: Context,
  place: string,
): Message | undefined {
  const { type, content, id } = fields
  if (typeof content !== 'string' && !isList(content)) {
    const problem = 'the content is neither a text nor a list of blocks'
    reading.misfit({ place, problem, reason: 'empty' })
    return undefined
  }
  switch (type) {
    case 'ai':
      return readAnswer(fields, older)
    case 'tool':
    case 'function':
      return readResult(fields, names, older)
  }
  const rest = restOf(fields, [
    'content',
    'id',
    ...(type === 'human' || type === 'system' ? ['type'] : []),
  ])
  const noted = { messageId: id, rest }
  if (type === 'system') {
    return typeof content === 'string'
      ? { role: 'system', content, ...notes.with(noted) }
      : {
          role: 'system',
          content: blocksText(content),
          ...notes.with({ ...noted, blocks: content }),
        }
  }
  if (typeof content === 'string') return { role: 'user', content, ...notes.with(noted) }
  const parts = listOf(content).map((block) => readBlock(fieldsOf(block) ?? {}))
  return { role: 'user', content: parts, ...notes.with(noted) }
}

function isList(content: unknown): boolean {
  return Array.isArray(content) && content.every((block) => fieldsOf(block) !== undefined)
}

/** What the blocks of a system message say. */
export function blocksText(blocks: unknown): string {
  return listOf(blocks)
    .flatMap((block) => {
      const { text } = fieldsOf(block) ?? {}
      return typeof text === 'string' ? [text] : []
    })
    .join('\n\n')
}
