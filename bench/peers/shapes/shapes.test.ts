import { expect, test } from 'vitest'
import { fromCline, toCline } from './cline.ts'
import { fromGemini, toGemini } from './gemini.ts'
import { fromPi, toPiEntries, type PiMessage } from './pi.ts'
import { callsIn, resultsIn, textIn } from './neutral.ts'
import { grown } from '../grown.ts'
import type { Message } from 'throughline'

const call = (toolCallId: string) => ({ toolCallId, toolName: 'Read' })
const session: Message[] = [
  { role: 'user', content: 'Read both, please.' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I will.' },
      { type: 'tool-call', ...call('1'), input: { path: 'src/a.ts' } },
      { type: 'tool-call', ...call('2'), input: 'src/b.ts' },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', ...call('1'), output: { type: 'text', value: 'const a = 1' } },
      { type: 'tool-result', ...call('2'), output: { type: 'error-text', value: 'no such file' } },
    ],
  },
  { role: 'assistant', content: 'One was there.' },
]

/** All that is said, called and answered, whatever the messages are. */
const said = (messages: readonly Message[]) => ({
  text: messages.map(textIn).filter((text) => text !== ''),
  calls: messages.flatMap(callsIn),
  results: messages.flatMap(resultsIn).map(({ id, name, text }) => ({ id, name, text })),
})

test.each([
  ['Cline', (messages: Message[]) => fromCline(toCline(messages))],
  ['gemini-cli', (messages: Message[]) => fromGemini(toGemini(messages))],
  [
    'pi',
    (messages: Message[]) =>
      fromPi(toPiEntries(messages, undefined).map(({ message }) => message as PiMessage)),
  ],
])('what is said, called and answered is the same on the way to %s and back', (_, through) => {
  expect(said(through(session))).toEqual(said(session))
})

test('a session that is compacted again has the summary before as an entry of its own', () => {
  const entries = toPiEntries(session, 'Earlier, much was done.')
  expect(entries[0]).toMatchObject({
    type: 'compaction',
    summary: 'Earlier, much was done.',
    firstKeptEntryId: entries[1]?.id,
  })
  expect(entries).toHaveLength(1 + 4)
})

test('each copy of a grown session has paths and call ids of its own', () => {
  const long = grown(session, 3)
  expect(long).toHaveLength(12)
  expect(long.slice(0, 4)).toEqual(session)
  const ids = long.flatMap(callsIn).map(({ id }) => id)
  expect(new Set(ids).size).toBe(6)
  expect(long.flatMap(resultsIn).map(({ id }) => id)).toEqual(ids)
  expect(JSON.stringify(long[5])).toContain('src/c1/a.ts')
})
