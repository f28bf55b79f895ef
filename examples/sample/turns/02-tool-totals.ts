import { bash, edit, failing, read, step, todo, write, type Turn } from '../story.ts'

const session = 'packages/throughline/src/session'
const src = 'packages/throughline/src'

const code = `import { outputText } from '../log/message-text.ts'
import { partsOf } from '../log/message.ts'
import { ref } from '../log/ref.ts'
import type { Ref } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

/** What one tool has brought into a session. */
export interface ToolTotals {
  tool: string
  calls: number
  failures: number
  /** Of all its outputs. */
  bytes: number
  /** The largest output, and what reads it back. */
  largest: { ref: Ref; bytes: number } | undefined
}

/**
 * What each tool has brought into a session, the most bytes first.
 * @example
 * for (const { tool, bytes } of toolTotals(session.log)) console.log(tool, bytes)
 */
export function toolTotals(log: Chronological): ToolTotals[] {
  const totals: Record<string, ToolTotals> = {}
  for (const entry of log) {
    if (entry.kind !== 'message') continue
    for (const [index, part] of partsOf(entry.message).entries()) {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue
      const row = (totals[part.toolName] ??= emptyRow(part.toolName))
      if (part.type === 'tool-call') {
        row.calls += 1
        continue
      }
      const bytes = outputText(part.output).length
      row.bytes += bytes
      if (part.output.type === 'error-text' || part.output.type === 'error-json') row.failures += 1
      if (bytes > (row.largest?.bytes ?? -1)) row.largest = { ref: ref(entry.seq, index), bytes }
    }
  }
  return Object.values(totals).sort((a, b) => b.bytes - a.bytes)
}

function emptyRow(tool: string): ToolTotals {
  return { tool, calls: 0, failures: 0, bytes: 0, largest: undefined }
}
`

const test = `import { describe, expect, it } from 'vitest'
import { readRef } from '../log/ref.ts'
import { assistant, call, human, logFrom, result, tool } from '../testing/generate/build.ts'
import { toolTotals } from './tool-totals.ts'

const log = logFrom([
  human('look around'),
  assistant([call('1', 'Read'), call('2', 'Bash'), call('3', 'Read')]),
  tool(
    result('1', 'Read', 'naïve café'),
    result('2', 'Bash', { type: 'error-text', value: 'Exit code 1' }),
    result('3', 'Read', 'four'),
  ),
  assistant([call('4', 'Bash')]),
  human('stop'),
])

describe('the totals of tools', () => {
  it('count calls and failures; a call without a result is neither', () => {
    expect(toolTotals(log).map(({ tool, calls, failures }) => ({ tool, calls, failures }))).toEqual([
      { tool: 'Read', calls: 2, failures: 0 },
      { tool: 'Bash', calls: 2, failures: 1 },
    ])
  })

  it('count bytes, not characters', () => {
    expect(toolTotals(log)[0]?.bytes).toBe(16)
  })

  it('name the largest output by its ref', () => {
    const largest = toolTotals(log)[0]?.largest
    expect(largest?.bytes).toBe(12)
    expect(readRef(log, largest?.ref ?? '')).toMatchObject({ output: { value: 'naïve café' } })
  })
})
`

export const toolTotals: readonly Turn[] = [
  {
    human: 'Good. Skip 4, I will print it my own way, and leave 6 for later. Do the rest.',
    steps: [
      {
        say: 'Then it is 1, 2, 3 and 5.',
        calls: [
          todo(
            '> Write toolTotals in session/tool-totals.ts',
            '  Count bytes as the placeholder does',
            '  Name the largest output by its ref',
            '  Test it beside the code',
          ),
          read(`${src}/testing/generate/build.ts`),
        ],
      },
      step(write(`${session}/tool-totals.ts`, code), write(`${session}/tool-totals.test.ts`, test)),
      step(failing(bash(`npx vitest run ${session}/tool-totals.test.ts`, 'Run the new test'))),
      {
        think:
          'Two of the three tests fail, and both for one reason: I counted characters with length. The placeholder has utf8Bytes; point 2 says to use it.',
        say: 'The tests for bytes fail: `length` counts UTF-16 units. `utf8Bytes` is what point 2 asks for.',
        calls: [
          edit(
            `${session}/tool-totals.ts`,
            '      const bytes = outputText(part.output).length\n',
            '      const bytes = utf8Bytes(outputText(part.output))\n',
          ),
          edit(
            `${session}/tool-totals.ts`,
            "import { outputText } from '../log/message-text.ts'\n",
            "import { utf8Bytes } from '../compaction/placeholder.ts'\nimport { outputText } from '../log/message-text.ts'\n",
          ),
        ],
      },
      step(
        bash(`npx vitest run ${session}/tool-totals.test.ts`, 'Run the test again'),
        bash(
          `npx oxlint ${session}/tool-totals.ts ${session}/tool-totals.test.ts`,
          'Lint the new files',
        ),
      ),
      step(
        todo(
          '+ Write toolTotals in session/tool-totals.ts',
          '+ Count bytes as the placeholder does',
          '+ Name the largest output by its ref',
          '+ Test it beside the code',
        ),
      ),
    ],
    answer: `Done: \`packages/throughline/src/session/tool-totals.ts\` with \`toolTotals(log)\`, and \`tool-totals.test.ts\` beside it; three tests pass and the linter is content.

The first run failed, because I had counted UTF-16 units; it now uses \`utf8Bytes\`, so that the sizes agree with those in the placeholders. Point 4 is skipped and nothing is exported yet.`,
  },
]
