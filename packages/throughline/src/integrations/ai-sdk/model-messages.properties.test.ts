import fc from 'fast-check'
import { convertToLanguageModelPrompt } from 'ai/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arbitraryModelMessages } from '../../testing/generate/messages/model-messages.ts'
import { differenceOf } from '../../testing/conformance/same-data.ts'
import { fromModelMessages, toModelMessages } from './model-messages.ts'
import { openSession, type Session } from '../../session/session.ts'
import { reconcile } from '../../session/reconcile/reconcile.ts'
import { runs } from '../../testing/generate/runs.ts'
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts'
import type { Message } from '../../log/message.ts'
import type { ModelMessage } from 'ai'

/** Written into a store that keeps JSON, and read back from it. */
async function throughALog(
  messages: ModelMessage[],
): Promise<{ kept: Message[]; read: ModelMessage[]; session: Session }> {
  const store = sqliteStore({ file: ':memory:' })
  const options = { store, id: 'a', window: { context: 1_000_000 } }
  const session = await openSession(options)
  await reconcile(session, fromModelMessages(messages))
  const again = await openSession(options)
  const kept = (await again.history()).map(({ message }) => message)
  return { kept, read: toModelMessages(kept).messages, session: again }
}

async function prompt(messages: ModelMessage[]): Promise<unknown> {
  return convertToLanguageModelPrompt({
    prompt: { instructions: undefined, messages },
    supportedUrls: { '*/*': [/.*/] },
    download: undefined,
    provider: 'openai',
  }).catch((error: Error) => error.name)
}

describe('whatever the SDK’s messages say', () => {
  let before: unknown
  beforeAll(() => {
    // Of parts in an older form the SDK warns, once for each.
    before = globalThis.AI_SDK_LOG_WARNINGS
    globalThis.AI_SDK_LOG_WARNINGS = false
  })
  afterAll(() => {
    globalThis.AI_SDK_LOG_WARNINGS = before as typeof globalThis.AI_SDK_LOG_WARNINGS
  })

  test('comes back from a log as it was', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModelMessages, async (messages) => {
        const { kept } = await throughALog(messages)
        expect(differenceOf(kept, messages)).toBeUndefined()
      }),
      runs(60),
    )
  })

  test('is the same to a provider afterwards, options and all', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModelMessages, async (messages) => {
        const { read } = await throughALog(messages)
        expect(differenceOf(await prompt(read), await prompt(messages))).toBeUndefined()
      }),
      runs(60),
    )
  })

  test('is known again by the log, also after a copy through JSON where that keeps it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModelMessages, async (messages) => {
        const { read, session } = await throughALog(messages)
        expect(await reconcile(session, fromModelMessages(read))).toEqual({ appended: [] })
        expect(await reconcile(session, fromModelMessages(messages))).toEqual({ appended: [] })
        if (holdsBytes(messages)) return
        const copy: ModelMessage[] = JSON.parse(JSON.stringify(messages))
        expect(await reconcile(session, fromModelMessages(copy))).toEqual({ appended: [] })
      }),
      runs(60),
    )
  })
})

function holdsBytes(value: unknown): boolean {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsBytes)
}
