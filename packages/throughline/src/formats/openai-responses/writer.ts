import { jsonDocument } from '../writing/written-fields.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nativesIn } from '../../wires/wire.ts'
import { openaiResponsesWire } from '../../wires/openai-responses/write.ts'
import { writtenMessages } from '../api-written.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes what a request of the Responses API holds of a session. */
export const openaiResponsesWriter: FormatWriter = {
  name: 'openai-responses',
  write({ facts: { system }, ...written }, { session }) {
    const document = {
      ...(system !== undefined && { instructions: system }),
      input: nativesIn(openaiResponsesWire.write(writtenMessages(written), lenientWriting)),
    }
    return { session, text: jsonDocument(document) }
  },
}
