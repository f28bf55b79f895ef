import { oneByOne, wireOf, type Wire } from '../wire.ts'
import { readMessage } from './read.ts'
import { toolNames } from '../tool-names.ts'
import { writeMessages } from './write.ts'
import type { AnthropicMessage } from './message.ts'

/** The Messages API. */
export const anthropicWire: Wire<AnthropicMessage> = wireOf({
  reader(reading, before) {
    const names = toolNames(before)
    return oneByOne('messages', before, (native, place) =>
      readMessage(native, { names, reading }, place),
    )
  },
  write: writeMessages,
})
