import { describe, expect, test } from 'vitest'
import { cline } from './format.ts'
import { clineSession } from './sample.ts'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { clineWriter } from './writer.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { messageText } from '../../log/message.ts'
import { seen } from '../testing/seen.ts'
import { writtenAndRead } from '../testing/written-and-read.ts'

type Fields = Record<string, unknown>

function session(...messages: Fields[]): Fields[] {
  return [{ version: 1, updated_at: '2026-11-22T21:49:56.666Z', agent: 'lead', messages }]
}

function user(...texts: string[]): Fields {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
}

function typed(text: string, mode = 'act'): string {
  return `<user_input mode="${mode}">${text}</user_input>`
}

const marked = user(typed('Begin.'))

test('a session says what it is called, which model answered and how it was instructed', () => {
  expect(factsIn(cline, clineSession)).toEqual({
    id: '1795384195955_abcde',
    system: 'You are Cline.',
    model: 'claude-x',
  })
})

test('results in several messages are those of one step', () => {
  expect(outline(cline, clineSession)).toEqual([
    'checkpoint: It was begun., kept ',
    'harness: <mode_notice>The user switched from plan mode to act mode.</mode_notice>\n',
    'human: Read it. | image',
    'harness: <file_content path="/code/a.ts">\nexport {}\n</file_content>',
    'model: reasoning | I read it. | tool-call c1 | tool-call c2',
    'tool: tool-result c1 | tool-result c2',
    'harness: The last call failed. Try another way.',
    'model: It holds an x.',
  ])
  const [output, failed] = draftsOf(cline, clineSession).flatMap((draft) =>
    draft.kind === 'message' && draft.message.role === 'tool' ? draft.message.content : [],
  )
  expect(output).toMatchObject({ output: { type: 'text', value: '1 | x' } })
  expect(failed).toMatchObject({ output: { type: 'error-text' } })
})

describe('who speaks', () => {
  test('the human, in the element that Cline marks their words with', () => {
    expect(outline(cline, session(user(typed('Read it.', 'plan'))))).toEqual(['human: Read it.'])
    const command = '<user_command slash="init">Look around.</user_command>'
    expect(outline(cline, session(user(command)))).toEqual(['human: Look around.'])
  })

  test.each([
    'You have used no tool. Never push.',
    '[SYSTEM] Never push.',
    '<SYSTEM_NOTICE>\nNever push.\n</SYSTEM_NOTICE>',
    `A file: ${typed('Never push.')}`,
    '<user_input mode="act"',
  ])('Cline, wherever that element is missing: %s', (text) => {
    expect(outline(cline, session(marked, user(text)))).toEqual([
      'human: Begin.',
      `harness: ${text}`,
    ])
  })

  test('Cline, behind that element', () => {
    const text = `${typed('Read it.')}\n<file_content path="a">\n${typed('Never push.')}\n</file_content>`
    expect(outline(cline, session(user(text)))[1]).toMatch(/^harness: \n<file_content/)
  })

  test('those to whom Cline gave work', () => {
    const text = 'System-delivered teammate async run updates:\n- r1 (a) -> done'
    expect(outline(cline, session(marked, user(typed(text))))[1]).toBe(`harness: ${text}`)
  })

  test.each([{ displayRole: 'system', userRunSpan: 0 }, { kind: 'completion_reminder' }])(
    'Cline, where it notes so, even if nothing in the session is marked: %j',
    (metadata) => {
      const image = { type: 'image', data: 'AA', mediaType: 'image/png' }
      for (const text of ['Never push.', typed('Never push.')]) {
        const notice = { role: 'user', content: [{ type: 'text', text }, image], metadata }
        expect(outline(cline, session({ role: 'user', content: [image] }, notice))).toEqual([
          'human: image',
          `harness: ${text} | image`,
        ])
      }
    },
  )

  test('the human, where Cline has compacted what they typed', () => {
    const metadata = { kind: 'compaction', displayRole: 'system' }
    const folded = { ...user(typed('Read it.')), metadata }
    expect(outline(cline, session(folded))).toEqual(['human: Read it.'])
  })

  test('Cline, in a session of a version that marks, where the human typed nothing', () => {
    const [record] = session(user('Never push.'))
    const origin = { source: 'cli', mode: 'user' }
    expect(outline(cline, [{ ...record, origin }])).toEqual(['harness: Never push.'])
    expect(outline(cline, [{ ...record, source_message_count: 3 }])).toEqual([
      'harness: Never push.',
    ])
  })

  test('as in older sessions, where nothing is marked', () => {
    const details = '<environment_details>\nNever push.\n</environment_details>'
    expect(outline(cline, session(user('<task>\nRead it.\n</task>', details)))).toEqual([
      'harness: <task>',
      'human: \nRead it.\n',
      `harness: </task> | ${details}`,
    ])
  })
})

test('words in the place of a file that cannot be sent are not the human’s when they come back', async () => {
  const file = { type: 'file', data: { type: 'reference' }, mediaType: 'application/pdf' } as const
  const log = logFrom([
    human('Begin.'),
    assistant('Yes.'),
    human([{ type: 'text', text: 'Read it.' }, file]),
  ])
  const { log: read } = await writtenAndRead(log, { writer: clineWriter, format: cline })
  const said = read.flatMap((entry) => (entry.kind === 'message' ? [entry] : []))
  expect(said.map(({ origin, message }) => [origin, messageText(message)])).toEqual([
    ['human', 'Begin.'],
    ['model', 'Yes.'],
    ['human', 'Read it.'],
    ['harness', '[Attached application/pdf]'],
  ])
})

test('an output with a block of a kind that nobody knows stays whole', () => {
  const output = [{ type: 'constructor', text: 'x' }]
  const [given] = draftsOf(
    cline,
    session(
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: output }] },
    ),
  ).flatMap((draft) =>
    draft.kind === 'message' && draft.message.role === 'tool' ? draft.message.content : [],
  )
  expect(given).toMatchObject({ output: { type: 'text', value: JSON.stringify(output) } })
})

test('what Cline keeps beside a session that it has compacted is read too', () => {
  const summary = { ...user('Context summary:\n\nSum.'), metadata: { kind: 'compaction_summary' } }
  const kept = { version: 1, updated_at: 'x', source_message_count: 9, messages: [summary, marked] }
  expect(cline.recognises([kept])).toBe(true)
  expect(seen(cline, [kept])).toEqual(['summary: Context summary:\n\nSum.', 'Begin.'])
})
