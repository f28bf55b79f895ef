import { fieldsOf } from '../../json/fields.ts'
import { modelMessages } from './ui-messages.ts'
import { oneByOne, wireOf, type Wire } from '../wire.ts'
import { readMessage } from './read.ts'
import { writeMessages } from './write.ts'
import type { AiSdkMessage } from './message.ts'

/**
 * The AI SDK's messages, which are ours but for what is new or odd in them. Those of its user
 * interface are read as what the SDK makes of them for the model; nobody writes them here.
 */
export const aiSdkWire: Wire<AiSdkMessage> = wireOf({
  reader: (reading, before) =>
    oneByOne('messages', before, (native, place) => {
      const fields = fieldsOf(native) ?? {}
      if (!Array.isArray(fields['parts'])) return readMessage(fields, place, reading)
      const { messages, unknown } = modelMessages(fields)
      for (const problem of unknown) reading.misfit({ place, problem, reason: 'unknown-part' })
      return messages.flatMap((message) => readMessage(message, place, reading))
    }),
  write: (messages) => writeMessages(messages),
})
