import { itemReader } from './read.ts'
import { wireOf, type Pair, type Wire } from '../wire.ts'
import { writeMessage } from './write.ts'
import type { ResponsesItem } from './item.ts'

/** The Responses API: the items of one answer are one message. */
export const openaiResponsesWire: Wire<ResponsesItem> = wireOf({
  reader: itemReader,
  write: (messages, writing) =>
    messages.map((message, index): Pair<ResponsesItem> => ({
      natives: writeMessage(message, `messages[${index}]`, writing) as ResponsesItem[],
      messages: [message],
    })),
})
