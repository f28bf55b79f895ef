import { describe, expect, test } from 'vitest'
import { chronological } from '../log/order.ts'
import { retainedBytes } from '../testing/retained-bytes.ts'
import { emptyFacts, advanceFacts } from './facts-of.ts'
import type { Entry } from '../log/entry.ts'
import type { Facts } from './facts.ts'

interface Call {
  tool: string
  input: Record<string, unknown>
  output: string
}

const filler = Array.from({ length: 1_500 }, (_, at) => `line ${at} of plain words`).join('\n')
const around = (line: string): string => `${filler}\n${line}\n${filler}`

/** What agents do, of which the facts keep a line and no more. */
const habits: Record<string, (at: number) => Call> = {
  'reads a file that holds a new name': (at) => ({
    tool: 'Read',
    input: { file_path: 'src/a.ts' },
    output: around(`const someNewIdentifierNumber${at} = 1`),
  }),
  'finds a new file': (at) => ({
    tool: 'Grep',
    input: { pattern: 'words' },
    output: around(`src/directory/of/things/file${at}.ts:12: words`),
  }),
  'writes a new file with a comment': (at) => ({
    tool: 'Write',
    input: {
      file_path: `src/directory/of/things/file${at}.ts`,
      content: around(
        `// The number ${at} is needed here, because the parser would fail without it.`,
      ),
    },
    output: 'ok',
  }),
  'applies a patch to a new file': (at) => ({
    tool: 'apply_patch',
    input: {
      patch: around(
        `*** Begin Patch\n*** Update File: src/directory/of/things/file${at}.ts\n@@\n-a\n+b\n*** End Patch`,
      ),
    },
    output: 'ok',
  }),
}

/** A call and its result, as a store reads them: each text in memory of its own. */
function read(call: Call, seq: number): Entry[] {
  const toolCallId = `call${seq}`
  const { tool: toolName, input, output } = call
  const entries: Entry[] = [
    {
      kind: 'message',
      seq,
      at: 0,
      origin: 'model',
      finish: 'tool-calls',
      message: { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    },
    {
      kind: 'message',
      seq: seq + 1,
      at: 0,
      origin: 'tool',
      message: {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: output } },
        ],
      },
    },
  ]
  return JSON.parse(JSON.stringify(entries)) as Entry[]
}

function fold(facts: Facts, habit: (at: number) => Call, from: number, to: number): void {
  for (let at = from; at < to; at++) advanceFacts(facts, chronological(read(habit(at), 2 * at + 1)))
}

describe('of what was said the facts hold their own words alone, where an agent', () => {
  test.each(Object.entries(habits))('%s', (_, habit) => {
    const facts = emptyFacts()
    fold(facts, habit, 0, 50)
    const before = retainedBytes()
    fold(facts, habit, 50, 250)
    const each = (retainedBytes() - before) / 200
    // Each call says about 70,000 bytes.
    expect(each).toBeLessThan(8_000)
    expect(facts.seq).toBe(500)
  })
})
