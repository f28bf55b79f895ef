import { describe, expect, test } from 'vitest'
import { assistant, call, human, logFrom, result, tool } from '../testing/generate/build.ts'
import { harnesses } from './harnesses.ts'
import { messageText } from '../log/message.ts'
import { readSession } from './reading/read-session.ts'
import { testIdentity } from '../testing/conformance/writer-conformance.ts'
import { writtenSession } from './writing/written-session.ts'

const log = logFrom([
  human('Fix it.'),
  assistant([{ type: 'text', text: 'I look.' }, call('a', 'Bash', { command: 'ls' })]),
  tool(result('a', 'Bash', 'files')),
  assistant('Done.'),
  human('Now the tests.'),
  assistant('I begin.'),
])

const unknown = { type: 'x-unheard-of', inside: { content: 'zebras in a block' } }

/** A copy in which a block that nobody knows stands behind each one that says this. */
function withUnknown(value: unknown, said: string): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const says = Object.values(Object(item) as object).includes(said)
      return says ? [item, unknown] : [withUnknown(item, said)]
    })
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withUnknown(field, said)]),
  )
}

function textWith(text: string, said: string, lines: boolean): string {
  const records = lines ? text.trim().split('\n') : [text]
  return records.map((record) => JSON.stringify(withUnknown(JSON.parse(record), said))).join('\n')
}

describe.each([
  ['opencode', ['Fix it.', 'I look.', 'Done.']],
  ['opencode-v2', ['I look.', 'Done.', 'files']],
  ['pi', ['Fix it.', 'I look.', 'Done.', 'files']],
  ['kimi-code', ['Fix it.', 'I look.', 'Done.', 'files']],
  ['cline', ['I look.', 'Done.']],
  ['codex', ['Fix it.', 'I look.', 'Done.']],
  ['gemini-cli', ['Fix it.', 'I look.', 'Done.']],
  ['qwen-code', ['Fix it.', 'I look.', 'Done.']],
] as const)('%s', (name, places) => {
  test.each(places)('a block of an unknown kind beside “%s” is not lost', async (said) => {
    const { writer } = harnesses.find((harness) => harness.name === name) ?? expect.fail(name)
    const { text } = writer.write(writtenSession(log, {}), testIdentity())
    const { log: read } = await readSession(textWith(text, said, writer.lines === true))
    const found = read.filter(
      (entry) =>
        entry.kind === 'message' && messageText(entry.message).includes('zebras in a block'),
    )
    expect(found).toHaveLength(1)
    const [entry] = found
    expect(entry?.kind === 'message' && entry.origin).not.toBe('human')
  })
})
