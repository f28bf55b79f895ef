import { expect, test } from 'vitest'
import { compactMessages } from './once/compact-messages.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession } from './session.ts'

// As plain JavaScript may give them.
const windowless = { store: memoryStore(), id: 'a' }

test('a session without a window is not opened, and the error says what to give', async () => {
  await expect(openSession(windowless as never)).rejects.toMatchObject({ code: 'INVALID_WINDOW' })
  await expect(openSession(windowless as never)).rejects.toThrow('window: { context: 200_000 }')
})

test('messages are not compacted without a window either', async () => {
  const compacted = compactMessages([{ role: 'user', content: 'Hello.' }], {} as never)
  await expect(compacted).rejects.toMatchObject({ code: 'INVALID_WINDOW' })
})
