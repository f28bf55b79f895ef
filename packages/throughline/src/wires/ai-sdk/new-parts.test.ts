import { expect, test } from 'vitest'
import { aiSdkWire } from './wire.ts'
import { messagesIn, nativesIn } from '../wire.ts'
import type { AiSdkMessage } from './read-parts.ts'

type Said = AiSdkMessage & { content: unknown }

const hologram = { type: 'hologram', depth: [1, { two: 'x' }], bytes: new Uint8Array([1, 2]) }

test.each(['user', 'assistant'])(
  'a part of a new kind goes back to the SDK as it came: %s',
  (role) => {
    const natives: Said[] = [{ role, content: [{ type: 'text', text: 'See.' }, hologram] }]
    const messages = messagesIn(aiSdkWire.read(natives))
    expect(messages[0]?.content).toHaveLength(2)
    expect(nativesIn(aiSdkWire.write(messages))).toEqual(natives)
  },
)

test('what has nothing that we would say otherwise is the very object that came', () => {
  const native: Said = {
    role: 'user',
    content: [{ type: 'text', text: 'hi', unheard: { of: 1 } }],
  }
  expect(messagesIn(aiSdkWire.read([native]))[0]).toBe(native)
})
