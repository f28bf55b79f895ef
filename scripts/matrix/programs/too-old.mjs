// The AI SDK 5: nothing but one line that says what works.
import { compactMessages } from 'throughline'
import { aiSdkStep, PeerVersionError } from 'throughline/ai-sdk'

await compactMessages([{ role: 'user', content: 'hi' }], { window: { context: 8_000 } })
try {
  aiSdkStep({ model: {} })
  throw new Error('It says nothing.')
} catch (error) {
  if (!PeerVersionError.isInstance(error) || error.message.includes('\n')) throw error
  console.log(error.message)
}
