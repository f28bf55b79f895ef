import { addNames, toolNames } from '../tool-names.ts'
import { fieldsRead, readFields, writeFields } from './message-fields.ts'
import { notes } from './blocks.ts'
import { olderCalls } from '../older-calls.ts'
import { oneByOne, wireOf, type Pair, type Wire } from '../wire.ts'
import { readMessage } from './read.ts'
import { writeMessage } from './write.ts'
import type { BaseMessage } from '@langchain/core/messages'

/** Messages of LangChain. */
export const langchainWire: Wire<BaseMessage> = wireOf({
  reader(reading, before) {
    const names = toolNames(before)
    const older = olderCalls(before, notes)
    return oneByOne('messages', before, (native, place) => {
      const fields = readFields(native, place, reading)
      const message = fields && readMessage(fields, { names, older, reading }, place)
      if (!message) return []
      addNames(names, message)
      return [message]
    })
  },
  fieldsRead,
  write: (messages, writing) =>
    messages.map((message, index): Pair<BaseMessage> => ({
      natives: writeMessage(message, `messages[${index}]`, writing).map(writeFields),
      messages: [message],
    })),
})
