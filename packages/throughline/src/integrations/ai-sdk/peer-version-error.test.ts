import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type * as Sdk from 'ai'

beforeAll(() => {
  vi.resetModules()
  vi.doMock('ai', async (original) => ({
    ...(await original<typeof Sdk>()),
    // As version 5 answers.
    simulateStreamingMiddleware: () => ({ middlewareVersion: 'v2', wrapStream: () => {} }),
  }))
})

afterAll(() => {
  vi.doUnmock('ai')
  vi.resetModules()
})

test('an AI SDK that is too old is named in one line that says which versions work', async () => {
  const { aiSdkStep, aiSdkGenerateStep, aiSdkCompaction, modelSummarizer, PeerVersionError } =
    await import('./index.ts')
  const { scriptedModel } = await import('../../testing/ai-sdk.ts')
  const { memoryStore } = await import('../../stores/memory.ts')
  const model = scriptedModel({ script: [] })
  const window = { context: 8_000 }
  const calls = [
    () => aiSdkStep({ model }),
    () => aiSdkGenerateStep({ model }),
    () => modelSummarizer(model),
    () => aiSdkCompaction({ model, window, store: memoryStore(), id: 'a' }),
  ]
  for (const call of calls) {
    expect(call).toThrow(PeerVersionError)
    expect(call).toThrow(/^[^\n]*"ai" is too old\. .*versions 6 and 7: npm i ai@7$/)
  }
})
