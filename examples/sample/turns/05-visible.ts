import { bash, edit, failing, read, say, step, todo, type Turn } from '../story.ts'

const session = 'packages/throughline/src/session'

const before = `  return [...rows.values()].sort((a, b) => b.bytes - a.bytes)
}
`

const wrong = `  for (const item of contextOf(log).items) {
    if (item.type !== 'message') continue
    for (const part of partsOf(item.message)) {
      const row = part.type === 'tool-result' ? rows.get(part.toolName) : undefined
      if (row) row.visible += row.bytes
    }
  }
  return [...rows.values()].sort((a, b) => b.bytes - a.bytes)
}
`

const cases = `
  it('tells what the model still sees from what was returned', () => {
    const pruned = logFrom([
      human('look around'),
      assistant([call('1', 'Read'), call('2', 'Read')]),
      tool(result('1', 'Read', 'x'.repeat(1_000)), result('2', 'Read', 'four')),
      {
        kind: 'prune',
        at: 0,
        base: 3,
        replacements: [{ how: 'pruned', ref: '3.0', text: '<gone>' }],
        metadata: {},
      },
    ])
    expect(toolUsage(pruned)).toMatchObject([{ bytes: 1_004, visible: 10 }])
  })

  it('sees nothing of what a summary stands for', () => {
    const summarized = logFrom([
      human('look around'),
      assistant([call('1', 'Read')]),
      tool(result('1', 'Read', 'four')),
      {
        kind: 'checkpoint',
        at: 0,
        base: 3,
        summary: '## Goal',
        summarizer: 'local',
        tail: [],
        continuation: null,
        metadata: {},
      },
    ])
    expect(toolUsage(summarized)).toMatchObject([{ bytes: 4, visible: 0 }])
  })
})
`

export const visible: readonly Turn[] = [
  {
    human: 'Right, a summary belongs to no tool. Go on.',
    steps: [
      step(
        todo(
          '> Add visible to ToolUsage, counted over the context',
          '  Test a pruned output',
          '  Test an output that a summary stands for',
        ),
        edit(
          `${session}/tool-usage.ts`,
          '  bytes: number\n  /** The largest',
          '  bytes: number\n  /** What the model still sees of them. */\n  visible: number\n  /** The largest',
        ),
        edit(`${session}/tool-usage.ts`, before, wrong),
      ),
      step(
        edit(
          `${session}/tool-usage.ts`,
          'bytes: 0, largest: undefined }',
          'bytes: 0, visible: 0, largest: undefined }',
        ),
        edit(
          `${session}/tool-usage.ts`,
          "import { partsOf } from '../log/message.ts'\n",
          "import { contextOf } from '../log/context.ts'\nimport { partsOf } from '../log/message.ts'\n",
        ),
      ),
      step(
        bash(
          `sed -i '$ d' ${session}/tool-usage.test.ts && cat >> ${session}/tool-usage.test.ts <<'TESTS'${cases}TESTS`,
          'Add the two tests',
        ),
      ),
      step(
        failing(
          bash(
            `npx vitest run ${session}/tool-usage.test.ts ${session}/tool-usage-names.test.ts`,
            'Run the tests',
          ),
        ),
      ),
      {
        think:
          'visible is too large: I add row.bytes, the total of the tool, for each result. It must be the bytes of the part as it stands in the context. And the names test fails because the row has a new field.',
        say: 'Two mistakes of mine: I added the whole of the row for each result instead of the size of the part, and the test of names does not know the new field.',
        calls: [
          edit(
            `${session}/tool-usage.ts`,
            "      const row = part.type === 'tool-result' ? rows.get(part.toolName) : undefined\n      if (row) row.visible += row.bytes\n",
            "      if (part.type !== 'tool-result') continue\n      const row = rows.get(part.toolName)\n      if (row) row.visible += utf8Bytes(outputText(part.output))\n",
          ),
          edit(
            `${session}/tool-usage-names.test.ts`,
            'bytes: 4, largest: {',
            'bytes: 4, visible: 4, largest: {',
          ),
        ],
      },
      step(
        bash(
          `npx vitest run ${session}/tool-usage.test.ts ${session}/tool-usage-names.test.ts && npx oxlint ${session}/tool-usage.ts`,
          'Run the tests and lint',
        ),
      ),
      step(
        read(`${session}/tool-usage.ts`),
        todo(
          '+ Add visible to ToolUsage, counted over the context',
          '+ Test a pruned output',
          '+ Test an output that a summary stands for',
        ),
      ),
    ],
    answer: `\`toolUsage\` now has \`visible\`: the bytes of a tool's outputs as they stand in the context, with placeholders and clipped texts in place of what was pruned, and nothing for what a summary stands for. One pass over the log, one over the context. Ten tests pass in two files.`,
  },
  {
    human: 'Did anything else break?',
    steps: [say('I run the whole suite.', failing(bash('npx vitest run', 'Run all tests')))],
    interrupted: true,
  },
  {
    human:
      'Not the whole suite, that takes minutes. From now on run only the test files of what you changed and of what imports it.',
    steps: [
      say(
        'Understood. Nothing imports it yet, so it is the two files, and the folders that it imports from.',
        bash(`grep -rln "tool-usage" packages/throughline/src`, 'Find what imports it'),
      ),
      step(
        bash(
          `npx vitest run ${session}/tool-usage packages/throughline/src/log`,
          'Run the tests of the file and of the floor below it',
        ),
      ),
    ],
    answer: `The two test files of \`tool-usage\` pass, and so do those of \`log/\`, which it reads. Nothing else imports it, so nothing else can have broken.`,
  },
]
