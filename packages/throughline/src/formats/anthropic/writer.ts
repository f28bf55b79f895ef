import { alternate } from '../../wires/anthropic/alternate.ts'
import { anthropicWire } from '../../wires/anthropic/wire.ts'
import { jsonDocument, providerOf } from '../writing/written-fields.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nativesIn } from '../../wires/wire.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { withoutRefusals } from '../claude-code/origin.ts'
import { writtenMessages } from '../api-written.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes a session as the messages of a Messages API request. */
export const anthropicWriter: FormatWriter = {
  name: 'anthropic',
  write({ summary, messages, facts: { model, system } }, { session }) {
    const said = writtenMessages({ summary, messages: withoutRefusals(messages) }).map(inParts)
    const turns = nativesIn(alternate(anthropicWire.write(said, lenientWriting), []))
    // The API wants the user first.
    const first =
      turns[0]?.role === 'assistant'
        ? [{ role: 'user', content: [{ type: 'text', text: nothingBefore }] }]
        : []
    const document = {
      ...(model !== undefined && providerOf(model) === 'anthropic' && { model }),
      ...(system !== undefined && { system }),
      messages: [...first, ...turns],
    }
    return { session, text: jsonDocument(document) }
  },
}

/** All of a request in one form, for whoever looks into it. */
function inParts(message: Message): Message {
  return { ...message, content: partsOf(message) } as Message
}

const nothingBefore = '[What was said before is not here.]'
