import fc from 'fast-check'
import {
  convertToModelMessages,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { describe, expect, test } from 'vitest'
import { aiSdkCompaction } from '../compaction/ai-sdk-compaction.ts'
import { defaultPolicy } from '../../../compaction/policy.ts'
import { draftOf } from '../../../log/entry.ts'
import { arbitrarySession } from '../../../testing/generate/session.ts'
import { fromModelMessages } from '../model-messages.ts'
import { assistant, call, human, logFrom, result } from '../../../testing/generate/build.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { openSession } from '../../../session/session.ts'
import { reconcile } from '../../../session/reconcile/reconcile.ts'
import { runs } from '../../../testing/generate/runs.ts'
import { scriptedModel } from '../../../testing/scripted/scripted-model.ts'
import { toUiMessages } from './to-ui-messages.ts'
import { tools } from '../../../testing/generate/agent.ts'
import type { AssistantPart, ToolPart, UserPart } from '../../../log/message.ts'

describe('a history in a user interface', () => {
  test('comes back as what the log says, whatever was said and compacted', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession({ maxSteps: 20 }), async (drafts) => {
        const session = await openSession({
          store: memoryStore(),
          id: 'a',
          window: { context: 8_000 },
        })
        await session.append(...logFrom([drafts]).map(draftOf))
        await session.compact().catch(() => undefined)
        const shown = toUiMessages(await session.history())
        const kept: UIMessage[] = JSON.parse(JSON.stringify(shown))
        const messages = await convertToModelMessages(kept, { tools })
        expect(await reconcile(session, fromModelMessages(messages))).toEqual({ appended: [] })
      }),
      runs(60),
    )
  })
})

/** A chat as a server has it: the interface's messages come in and go out as JSON. */
class Chat {
  messages: UIMessage[] = []
  readonly model = scriptedModel({
    rules: { window: 16_000 },
    script: ({ number }) => {
      if (number % 10 === 0) return { text: `Turn ${number / 10} is done.` }
      if (number % 10 === 5) return { calls: [{ name: 'broken' }] }
      const input = { path: `src/file-${number}.ts`, tokens: 1_500 }
      return { text: 'I read on.', calls: [{ name: 'read', input }] }
    },
  })
  readonly compaction = aiSdkCompaction({
    store: memoryStore(),
    id: 'chat',
    window: { context: 16_000 },
    policy: { ...defaultPolicy, prune: () => undefined },
    model: this.model,
  })

  async say(...parts: UIMessage['parts']): Promise<void> {
    const originalMessages = [
      ...this.messages,
      { id: `${this.messages.length}`, role: 'user' as const, parts },
    ]
    const { model, prepareStep, onStepEnd } = this.compaction
    const { stream } = streamText({
      model,
      prepareStep,
      onStepEnd,
      tools,
      messages: await convertToModelMessages(originalMessages, { tools }),
      stopWhen: isStepCount(20),
    })
    const shown = toUIMessageStream({
      stream,
      originalMessages,
      // Users are told less of an error than the model.
      onError: () => 'Something went wrong.',
      redactToolErrors: true,
      onEnd: ({ messages }) => {
        this.messages = JSON.parse(JSON.stringify(messages))
      },
    })
    for await (const chunk of shown) if (chunk.type === 'error') throw new Error(chunk.errorText)
  }
}

describe('a chat', () => {
  test('goes on past the window, its log says each thing once, and nobody sees "continue"', async () => {
    const chat = new Chat()
    const url = `data:image/png;base64,${Buffer.from('an image').toString('base64')}`
    await chat.say(
      { type: 'text', text: 'Read all files.' },
      { type: 'file', mediaType: 'image/png', url },
    )
    await chat.say({ type: 'text', text: 'And again.' })
    await chat.say({ type: 'text', text: 'Once more.' })
    const session = await chat.compaction.session()
    const log = await session.log()
    expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
    expect(
      log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune').length,
    ).toBeGreaterThan(1)
    expect(chat.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    const texts = (messages: UIMessage[]) =>
      messages.map(({ parts }) =>
        parts.map((part) => (part.type === 'text' ? part.text : part.type)),
      )
    expect(texts(toUiMessages(await session.history()))).toEqual(texts(chat.messages))
    expect(JSON.stringify(chat.messages)).not.toMatch(/"continue"|prior-conversation-summary/)
    const prompts = JSON.stringify(chat.model.requests.map(({ prompt }) => prompt))
    expect(prompts.includes('prior-conversation-summary')).toBe(true)
  })

  test('answers anew where the user asks for it, and the log says so', async () => {
    const chat = new Chat()
    await chat.say({ type: 'text', text: 'Read all files.' })
    const [question] = chat.messages
    chat.messages = []
    await chat.say(...(question?.parts ?? []))
    const session = await chat.compaction.session()
    expect((await session.log()).filter(({ kind }) => kind === 'rewind')).toHaveLength(1)
    const said = (await session.history()).map(({ message }) => JSON.stringify(message))
    expect(said.filter((text) => text.includes('Turn 1 is done.'))).toEqual([])
    expect(said.filter((text) => text.includes('Turn 2 is done.'))).toHaveLength(1)
  })
})

describe('what an interface shows', () => {
  const history = (...drafts: Parameters<typeof logFrom>[0]) =>
    logFrom(drafts).flatMap((entry) => (entry.kind === 'message' ? [entry] : []))

  test('of a call: that it waits, that it was allowed or denied, what it gave or that it failed', () => {
    const asks = (id: string): AssistantPart & { signature: string } => ({
      signature: 'sealed',
      type: 'tool-approval-request',
      approvalId: `of-${id}`,
      toolCallId: id,
    })
    const answers = (id: string, approved: boolean): ToolPart => ({
      type: 'tool-approval-response',
      approvalId: `of-${id}`,
      approved,
      reason: 'so',
    })
    const ids = ['open', 'asked', 'allowed', 'denied', 'gave', 'failed']
    const [message] = toUiMessages(
      history(
        assistant([
          ...ids.map((id) => call(id, 'read')),
          ...['asked', 'allowed', 'denied', 'gave'].map(asks),
        ]),
        {
          kind: 'message',
          at: 0,
          origin: 'tool',
          message: {
            role: 'tool',
            content: [
              answers('allowed', true),
              answers('denied', false),
              answers('gave', true),
              result('denied', 'read', { type: 'execution-denied', reason: 'so' }),
              result('gave', 'read', { type: 'json', value: { lines: 3 } }),
              result('failed', 'read', { type: 'error-text', value: 'ENOENT' }),
            ],
          },
        },
      ),
    )
    expect(message?.parts.slice(1)).toMatchObject([
      { type: 'tool-read', state: 'input-available' },
      { state: 'approval-requested', approval: { id: 'of-asked', signature: 'sealed' } },
      { state: 'approval-responded', approval: { id: 'of-allowed', approved: true, reason: 'so' } },
      { state: 'output-denied', approval: { approved: false, reason: 'so' } },
      { state: 'output-available', approval: { approved: true }, output: { lines: 3 } },
      { state: 'output-error', errorText: 'ENOENT' },
    ])
  })

  test('of files: their address, their bytes, or a provider’s reference; what has none is an error', () => {
    const file = (data: unknown): UserPart => ({
      type: 'file',
      data,
      mediaType: 'text/plain',
      filename: 'a.txt',
    })
    const [message] = toUiMessages(
      history(
        human([
          file(new URL('https://example.com/a.txt')),
          file(new TextEncoder().encode('hi')),
          file({ openai: 'file-1' }),
        ]),
      ),
    )
    expect(message?.parts).toMatchObject([
      { url: 'https://example.com/a.txt', filename: 'a.txt' },
      { url: 'data:text/plain;base64,aGk=' },
      { providerReference: { openai: 'file-1' } },
    ])
    expect(() => toUiMessages(history(human([file({ type: 'text', text: 'hi' })])))).toThrow(
      '[1].content[0]',
    )
  })
})
