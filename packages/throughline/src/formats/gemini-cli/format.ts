import { geminiCliTools } from './tools.ts'
import { fieldsOf } from '../../json/fields.ts'
import { geminiCliReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Gemini CLI's sessions: one JSON document, or JSON Lines in newer versions. */
export const geminiCli: Format = {
  name: 'gemini-cli',
  place: '~/.gemini/tmp/<project>/chats/session-….json',
  tools: geminiCliTools,
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      return typeof record?.['sessionId'] === 'string' && typeof record['projectHash'] === 'string'
    }),
  reader: geminiCliReader,
}
