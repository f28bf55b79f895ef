import { convertToModelMessages, type UIMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { factsIn } from '../testing/outline.ts'
import { aiSdkUiMessages } from '../testing/samples/ai-sdk.ts'
import { partsOf } from '../../log/message.ts'
import { aiSdk } from './format.ts'

/** The messages, with a text alone as the one part that it is. */
function messagesIn(records: readonly unknown[]): unknown[] {
  return draftsOf(aiSdk, records).flatMap((draft) =>
    draft.kind === 'message' ? [{ ...draft.message, content: partsOf(draft.message) }] : [],
  )
}

/** As JSON, without what only says that nothing is there. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function assistant(...parts: object[]): UIMessage {
  return { id: 'm1', role: 'assistant', parts: parts as UIMessage['parts'] }
}

function tool(state: string, fields: object = {}): object {
  return { type: 'tool-read', toolCallId: 'c1', state, input: { path: '/a' }, ...fields }
}

describe("messages of the user interface become the SDK's own messages for the model", () => {
  test.each([
    ['text', [{ type: 'text', text: 'So.', providerMetadata: { x: { a: 1 } } }]],
    [
      'reasoning',
      [{ type: 'reasoning', text: 'Hm.', providerMetadata: { x: { a: 1 } } }, text('So.')],
    ],
    ['a file', [{ type: 'file', mediaType: 'image/png', url: 'https://x.y/a.png' }]],
    ['steps', [{ type: 'step-start' }, text('One.'), { type: 'step-start' }, text('Two.')]],
    ['a result', [tool('output-available', { output: 'x' })]],
    ['a result in JSON', [tool('output-available', { output: { a: 1 } }), text('So.')]],
    ['an error', [tool('output-error', { errorText: 'ENOENT' })]],
    ['a call', [tool('input-available')]],
    ['a call that streams', [text('So.'), tool('input-streaming')]],
    [
      'a call of a server',
      [
        tool('output-available', {
          output: 'x',
          providerExecuted: true,
          callProviderMetadata: { x: { a: 1 } },
        }),
      ],
    ],
    ['a question', [tool('approval-requested', { approval: { id: 'a1' } })]],
    [
      'a consent',
      [tool('output-available', { output: 'x', approval: { id: 'a1', approved: true } })],
    ],
    [
      'a refusal',
      [tool('approval-responded', { approval: { id: 'a1', approved: false, reason: 'No.' } })],
    ],
    [
      'steering',
      [text('One.'), { type: 'steering-message', id: 's1', parts: [text('Go on.')] }, text('Two.')],
    ],
    ['sources', [{ type: 'source-url', sourceId: 's', url: 'https://x.y' }, text('So.')]],
    ['data for the page', [{ type: 'data-x', data: 1 }, text('So.')]],
  ])('%s', async (_, parts) => {
    const message = assistant(...parts)
    expect(plain(messagesIn([message]))).toEqual(plain(await convertToModelMessages([message])))
  })

  test('a denied call did not run, and the model reads why', () => {
    const denied = tool('output-denied', { approval: { id: 'a1', approved: false, reason: 'No.' } })
    expect(messagesIn([assistant(denied)]).at(-1)).toMatchObject({
      content: [{ approved: false }, { output: { type: 'execution-denied', reason: 'No.' } }],
    })
  })

  test('what is not known is counted, and times and ids are kept', () => {
    const drafts = draftsOf(aiSdk, aiSdkUiMessages)
    expect(pairProblems(logOf(drafts))).toEqual([])
    expect(drafts[0]).toMatchObject({
      at: Date.UTC(2026, 1, 13, 21, 53, 49, 169),
      metadata: { source: { message: 'u1' } },
    })
    expect(factsIn(aiSdk, aiSdkUiMessages)).toEqual({
      system: 'Rules.',
      omitted: { 'unknown-part': 1 },
    })
  })
})

function text(words: string): { type: 'text'; text: string } {
  return { type: 'text', text: words }
}
