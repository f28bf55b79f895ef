import type { Fields } from '../json/fields.ts'
import type {
  AssistantMessage,
  Message,
  SystemMessage,
  ToolMessage,
  ToolResultPart,
  UserMessage,
  UserPart,
} from '../log/message.ts'
import type { Writing } from './reading.ts'
import type { WireParts } from './wire.ts'

/** How an API has the messages of each role, where each of ours is one or more of its own. */
export interface RoleWriters {
  system: (message: SystemMessage) => Fields
  user: (message: UserMessage, content: string | Fields[]) => Fields
  userPart: (part: UserPart, place: string, writing: Writing) => Fields | Fields[]
  answer: (message: AssistantMessage, place: string, writing: Writing) => Fields[]
  result: (part: ToolResultPart, place: string, writing: Writing, of: ToolMessage) => Fields
  /** Why an approval cannot be written. */
  noApproval: string
}

/** Writes messages one by one; `made` makes natives of what was written. */
export function byRole<Native>(
  writers: RoleWriters,
  made: (fields: Fields) => Native,
): WireParts<Native>['write'] {
  return (messages, writing) =>
    messages.map((message, index) => ({
      natives: written(message, `messages[${index}]`, writing, writers).map(made),
      messages: [message],
    }))
}

function written(
  message: Message,
  place: string,
  writing: Writing,
  { system, user, userPart, answer, result, noApproval }: RoleWriters,
): Fields[] {
  const at = (index: number): string => `${place}.content[${index}]`
  switch (message.role) {
    case 'system':
      return [system(message)]
    case 'user': {
      const { content } = message
      const said =
        typeof content === 'string'
          ? content
          : content.flatMap((part, index): Fields[] => [userPart(part, at(index), writing)].flat())
      return [user(message, said)]
    }
    case 'assistant':
      return answer(message, place, writing)
    case 'tool':
      return message.content.flatMap((part, index) => {
        if (part.type === 'tool-result') return [result(part, at(index), writing, message)]
        writing.instead({ place: at(index), problem: noApproval })
        return []
      })
  }
}
