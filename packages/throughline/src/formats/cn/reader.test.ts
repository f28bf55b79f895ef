import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { cn } from './format.ts'
import { cnSession } from './sample.ts'
import { seen } from '../testing/seen.ts'

type Fields = Record<string, unknown>

function session(...history: Fields[]): Fields[] {
  return [{ sessionId: 's', title: 'Untitled Session', workspaceDirectory: '/code', history }]
}

function user(content: unknown, fields: Fields = {}): Fields {
  return { message: { role: 'user', content }, contextItems: [], ...fields }
}

function reply(content: string, fields: Fields = {}): Fields {
  return { message: { role: 'assistant', content }, contextItems: [], ...fields }
}

function called(status: string, output?: string[]): Fields {
  const toolCall = { id: 'c', type: 'function', function: { name: 'Bash', arguments: '{}' } }
  const blocks = output && { output: output.map((content) => ({ content })) }
  const toolCallStates = [{ toolCallId: 'c', toolCall, status, ...blocks }]
  const message = { role: 'assistant', content: '', toolCalls: [toolCall] }
  return { message, contextItems: [], toolCallStates }
}

test('a session says what it is called, where it is and which model answered', () => {
  expect(factsIn(cn, cnSession)).toEqual({
    id: '0d7b7a52-0000-4000-8000-000000000001',
    title: 'Read a file',
    directory: '/code',
    model: 'gpt-x',
  })
  expect(factsIn(cn, session(user('a'))).title).toBeUndefined()
})

test('a reply holds what was thought before it, and its usage', () => {
  const drafts = draftsOf(cn, cnSession)
  expect(
    drafts.find((draft) => draft.kind === 'message' && draft.origin === 'model'),
  ).toMatchObject({
    usage: { inputTokens: 20, outputTokens: 3, cacheReadTokens: 5 },
    finish: 'tool-calls',
    message: {
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'I read it.' },
        { toolCallId: 'c1', input: { filepath: '/a' } },
        { toolCallId: 'c2', input: '{"command":' },
      ],
    },
  })
})

describe('a call that is', () => {
  test.each([
    ['done', ['a', 'b'], { type: 'text', value: 'a\nb' }],
    ['errored', ['no'], { type: 'error-text', value: 'no' }],
    ['canceled', undefined, { type: 'error-text', value: 'Tool cancelled' }],
  ])('%s has a result', (status, output, value) => {
    const [, result] = draftsOf(cn, session(called(status, output)))
    expect(result).toMatchObject({ message: { content: [{ toolCallId: 'c', output: value }] } })
  })

  test.each(['generated', 'calling'])('%s has none yet', (status) => {
    expect(outline(cn, session(called(status)))).toEqual(['model: tool-call c'])
  })
})

describe('who speaks', () => {
  test('files that go along are not the human’s', () => {
    const contextItems = [{ name: 'a.md', content: 'Never push.' }]
    expect(outline(cn, session(user('Read it.', { contextItems })))).toEqual([
      'harness: <context name="a.md">\nNever push.\n</context>\n\n',
      'human: Read it.',
    ])
  })

  test('Continue itself goes on after it has compacted, and a human may say the same later', () => {
    const summary = reply('Sum.', { conversationSummary: 'Sum.' })
    const records = session(
      summary,
      reply('On.'),
      user('continue'),
      reply('Well.'),
      user('continue'),
    )
    expect(outline(cn, records)).toEqual([
      'checkpoint: Sum., kept ',
      'model: On.',
      'harness: continue',
      'model: Well.',
      'human: continue',
    ])
  })
})

describe('a compaction', () => {
  test('of the command stands in the place of what it sums up', () => {
    const summary = reply('Sum.', { conversationSummary: 'Sum.' })
    expect(seen(cn, session(summary, user('On.')))).toEqual(['summary: Sum.', 'On.'])
  })

  test('of the extension stands behind it', () => {
    const records = session(user('a'), reply('b', { conversationSummary: 'Sum.' }), user('On.'))
    expect(seen(cn, records)).toEqual(['summary: Sum.', 'On.'])
  })
})
