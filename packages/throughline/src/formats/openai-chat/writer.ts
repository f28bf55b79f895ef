import { jsonDocument } from '../writing/written-fields.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nativesIn } from '../../wires/wire.ts'
import { openaiChatWire } from '../../wires/openai-chat/wire.ts'
import { writtenMessages } from '../api-written.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes the messages that a request of Chat Completions holds of a session. */
export const openaiChatWriter: FormatWriter = {
  name: 'openai-chat',
  write({ facts: { system }, ...written }, { session }) {
    const prompt = system === undefined ? [] : [{ role: 'system', content: system }]
    const messages = nativesIn(openaiChatWire.write(writtenMessages(written), lenientWriting))
    return { session, text: jsonDocument({ messages: [...prompt, ...messages] }) }
  },
}
