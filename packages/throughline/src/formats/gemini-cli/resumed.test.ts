import { expect, test } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { outputText } from '../../log/message.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { readSession } from '../reading/read-session.ts'
import type { Message } from '../../log/message.ts'

type Fields = Record<string, unknown>

const timestamp = '2026-04-14T15:31:19.875Z'
const header = { sessionId: 's', projectHash: 'f', startTime: timestamp, kind: 'main' }

function message(id: string, type: string, content: unknown, fields: Fields = {}): Fields {
  return { id, timestamp, type, content, ...fields }
}

function response(id: string, output: string): Fields {
  return { functionResponse: { id, name: 'read_file', response: { output } } }
}

function called(id: string, result: Fields[]): Fields {
  return { id, name: 'read_file', args: { file_path: `/${id}` }, status: 'success', result }
}

function callPart(id: string): Fields {
  return { functionCall: { id, name: 'read_file', args: { file_path: `/${id}` } } }
}

const [a, b] = [response('a', 'of a'), response('b', 'of b')]
const asked = message('m1', 'user', [{ text: 'Read both.' }])
const surroundings = message('e', 'user', [
  { text: '<session_context>\nHere.\n</session_context>' },
])
const answers = message('m3', 'user', [a, b])

const started = [
  header,
  message('c', 'user', '/stats'),
  asked,
  message('m2', 'gemini', 'I will.'),
  message('m2', 'gemini', 'I will.', { toolCalls: [called('a', [a]), called('b', [b])] }),
  answers,
  message('m4', 'gemini', 'Done.'),
]

/** What Gemini CLI 0.61 writes when such a session is resumed. */
const resumed = [
  { $set: { sessionId: 's' } },
  {
    $set: {
      messages: [
        surroundings,
        asked,
        message('m2', 'gemini', [{ text: 'I will.' }, callPart('a'), callPart('b')], {
          toolCalls: [called('a', [a, b]), called('b', [a, b])],
        }),
        message('m2_response', 'user', [a, b]),
        answers,
        message('m4', 'gemini', [{ text: 'Done.' }]),
      ],
    },
  },
]

async function view(records: readonly Fields[]): Promise<readonly Message[]> {
  const { log } = await readSession([records.map((record) => JSON.stringify(record)).join('\n')])
  return renderContext(contextOf(log).items, summaryAsUser).messages
}

function outputs(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'tool' && typeof content !== 'string'
      ? content.flatMap((part) => (part.type === 'tool-result' ? [outputText(part.output)] : []))
      : [],
  )
}

test('a session that was resumed is what it was, with what came behind', async () => {
  const next = message('m5', 'user', [{ text: 'And now?' }])
  const before = await view(started)
  expect(outputs(before)).toEqual(['of a', 'of b'])
  expect(await view([...started, ...resumed, next])).toEqual([
    ...before,
    { role: 'user', content: 'And now?' },
  ])
})

test('a summary of ours stays where Gemini CLI puts its surroundings in front', async () => {
  const text = '<prior-conversation-summary>\n## Goal\nFix it.\n</prior-conversation-summary>'
  const summary = message('s1', 'user', [{ text }])
  const reply = message('m9', 'gemini', 'Fixed.')
  const again = { $set: { messages: [surroundings, summary, reply] } }
  expect(await view([header, summary, reply, again])).toEqual([
    { role: 'user', content: text },
    { role: 'assistant', content: [{ type: 'text', text: 'Fixed.' }] },
  ])
})

test('a session in which all was written anew has each result behind its own call', async () => {
  const records = [
    header,
    asked,
    message('n2', 'gemini', [{ text: 'I will.' }, callPart('a'), callPart('b')]),
    message('n3', 'user', [a, b]),
    message('n4', 'gemini', [{ text: 'Again.' }, callPart('a'), callPart('b')]),
    message('n5', 'user', [a, b]),
  ]
  expect(outputs(await view(records))).toEqual(['of a', 'of b', 'of a', 'of b'])
})

test('a response without an id answers the first open call of its tool', async () => {
  const named = (output: string): Fields => ({
    functionResponse: { name: 'read_file', response: { output } },
  })
  const records = [
    header,
    asked,
    message('n2', 'gemini', [callPart('a'), callPart('b')]),
    message('n3', 'user', [named('one'), named('two')]),
  ]
  expect(outputs(await view(records))).toEqual(['one', 'two'])
})
