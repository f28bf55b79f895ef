import { detectApi } from '../detect/detect-api.ts'
import { aiSdkReader } from './reader.ts'
import type { Format } from '../format.ts'

/** The AI SDK's model messages and messages of its user interface: alone, or in requests. */
export const aiSdk: Format = {
  name: 'ai-sdk',
  place: 'messages of the AI SDK as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'ai-sdk',
  reader: aiSdkReader,
}
