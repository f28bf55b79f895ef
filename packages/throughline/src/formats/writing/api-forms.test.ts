import { describe, expect, it } from 'vitest'
import { aiSdkWriter } from '../ai-sdk/format.ts'
import { anthropicWriter } from '../anthropic/format.ts'
import { openaiChatWriter } from '../openai-chat/format.ts'
import { openaiResponsesWriter } from '../openai-responses/format.ts'
import { readSession } from '../reading/read-session.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'
import type { FormatWriter, WrittenSession } from './format-writer.ts'
import type { Message, ToolOutput, UserPart } from '../../log/message.ts'

const text = (said: string): string => Buffer.from(said).toString('base64')

const media: UserPart[] = [
  { type: 'image', image: 'https://x.y/a.png', mediaType: 'image/png' },
  { type: 'image', image: text('<svg/>'), mediaType: 'image/svg+xml' },
  { type: 'file', data: text('a,b'), mediaType: 'text/csv', filename: 'a.csv' },
  { type: 'file', data: 'file:///etc/passwd', mediaType: 'application/pdf', filename: 'x.pdf' },
]

const failed: ToolOutput = {
  type: 'content',
  value: [
    { type: 'text', text: 'no' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } },
  ],
  providerOptions: { anthropic: { isError: true } },
}

function session(...messages: Message[]): WrittenSession {
  return {
    messages: messages.map((message) => ({ message, origin: 'human', at: 0 })),
    facts: { model: 'gpt-x' },
  }
}

const called = session(
  { role: 'user', content: media },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'see', input: {} }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'see', output: failed }],
  },
)

function document(writer: FormatWriter, written: WrittenSession): unknown {
  return JSON.parse(writer.write(written, testIdentity()).text)
}

describe('the Messages API', () => {
  it('gets what it takes as itself, and all else in words', () => {
    expect(document(anthropicWriter, called)).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'https://x.y/a.png' } },
            { type: 'text', text: '[Attached image/svg+xml]' },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
              title: 'a.csv',
            },
            { type: 'text', text: '[Attached application/pdf: x.pdf]' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'see', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              is_error: true,
              content: [
                { type: 'text', text: 'no' },
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('hears the user first, who says that something is missing', async () => {
    const written = session({ role: 'assistant', content: 'Hello.' })
    const { log } = await readSession(anthropicWriter.write(written, testIdentity()).text)
    expect(log.map((entry) => entry.kind === 'message' && entry.origin)).toEqual([
      'harness',
      'model',
    ])
  })
})

describe('Chat Completions', () => {
  it('gets results as words, with a mark on those of calls that failed', () => {
    const { messages } = document(openaiChatWriter, called) as { messages: { content: unknown }[] }
    expect(messages[2]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: '[The call failed.]\nno\n[Attached image/png]',
    })
    expect(messages[0]?.content).toEqual([
      { type: 'image_url', image_url: { url: 'https://x.y/a.png' } },
      { type: 'text', text: '[Attached image/svg+xml]' },
      { type: 'text', text: '[Attached text/csv: a.csv]\na,b' },
      { type: 'text', text: '[Attached application/pdf: x.pdf]' },
    ])
  })
})

describe('the Responses API', () => {
  it('gets every part of a reply and every result as an item', () => {
    const { input } = document(openaiResponsesWriter, called) as { input: object[] }
    expect(input.slice(1)).toEqual([
      { type: 'function_call', call_id: 'c1', name: 'see', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: '[The call failed.]' },
          { type: 'input_text', text: 'no' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
        ],
      },
    ])
  })
})

describe('the AI SDK', () => {
  it('gets media as files, and a note of who spoke', () => {
    const [first] = called.messages
    const written = { ...called, messages: [{ ...first, origin: 'harness' }] } as WrittenSession
    expect(document(aiSdkWriter, written)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: 'https://x.y/a.png' },
          { type: 'file', mediaType: 'image/svg+xml', data: text('<svg/>') },
          { type: 'file', mediaType: 'text/csv', filename: 'a.csv', data: text('a,b') },
          { type: 'text', text: '[Attached application/pdf: x.pdf]' },
        ],
        providerOptions: { throughline: { origin: 'harness' } },
      },
    ])
  })
})
