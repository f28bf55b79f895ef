import { olderCalls } from '../older-calls.ts'
import { notes, type ChatMessage } from './message.ts'
import { oneByOne, wireOf, type Pair, type Wire } from '../wire.ts'
import { readMessage } from './read.ts'
import { toolNames } from '../tool-names.ts'
import { writeMessage } from './write.ts'

/** Chat Completions. */
export const openaiChatWire: Wire<ChatMessage> = wireOf({
  reader(reading, before) {
    const context = { names: toolNames(before), older: olderCalls(before, notes), reading }
    return oneByOne('messages', before, (native, place) => readMessage(native, context, place))
  },
  write: (messages, writing) =>
    messages.map((message, index): Pair<ChatMessage> => ({
      // What is made here has the fields of whatever type the caller has for these messages.
      natives: writeMessage(message, `messages[${index}]`, writing) as unknown as ChatMessage[],
      messages: [message],
    })),
})
