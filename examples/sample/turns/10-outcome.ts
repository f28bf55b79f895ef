import { bash, edit, failing, read, say, step, type Turn } from '../story.ts'

const session = 'packages/throughline/src/session'

const cases = `
  it('counts a command whose output names an exit code other than 0 as failed', () => {
    const codex = logFrom([
      human('build it'),
      assistant([call('1', 'exec_command'), call('2', 'exec_command')]),
      tool(
        result('1', 'exec_command', 'Process exited with code 2\\nOutput:\\nerror: no such target'),
        result('2', 'exec_command', 'Process exited with code 0\\nOutput:\\nok'),
      ),
    ])
    expect(toolUsage(codex)).toMatchObject([{ tool: 'exec_command', calls: 2, failures: 1 }])
  })
})
`

export const outcome: readonly Turn[] = [
  {
    human: 'Yes, count them.',
    steps: [
      say(
        'The test first.',
        bash(
          `sed -i '$ d' ${session}/tool-usage.test.ts && cat >> ${session}/tool-usage.test.ts <<'TESTS'${cases}TESTS`,
          'Add the test',
        ),
      ),
      step(failing(bash(`npx vitest run ${session}/tool-usage.test.ts`, 'Show that it fails'))),
      step(
        edit(
          `${session}/tool-usage.ts`,
          "      if (part.output.type === 'error-text' || part.output.type === 'error-json') row.failures += 1\n",
          '      if (hasFailed(part.output)) row.failures += 1\n',
        ),
        edit(
          `${session}/tool-usage.ts`,
          'function emptyRow(',
          `/** Also where only an exit code in the text says so: the agent had to react to it. */
function hasFailed(output: ToolOutput): boolean {
  if (output.type === 'error-text' || output.type === 'error-json') return true
  return (readOutcome(outputText(output)).exitCode ?? 0) !== 0
}

function emptyRow(`,
        ),
        edit(
          `${session}/tool-usage.ts`,
          "import type { Ref } from '../log/entry.ts'\n",
          "import { readOutcome } from '../compaction/summary/index/outcome/read-outcome.ts'\nimport type { Ref } from '../log/entry.ts'\nimport type { ToolOutput } from '../log/message.ts'\n",
        ),
      ),
      step(
        bash(
          `npx vitest run ${session}/tool-usage && npx oxfmt ${session}/tool-usage.ts ${session}/tool-usage.test.ts && npx oxlint ${session}/tool-usage.ts`,
          'Run the tests of tool usage, format and lint',
        ),
      ),
      step(read(`${session}/tool-usage.ts`)),
    ],
    answer: `A result now counts as failed if its type says so or if the text names an exit code other than 0, as Codex writes it. The test for it failed before and passes now, with all the others of \`tool-usage\`.`,
  },
]
