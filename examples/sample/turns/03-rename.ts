import { bash, failing, read, say, step, write, type Turn } from '../story.ts'

const session = 'packages/throughline/src/session'
const home = '/home/dev/throughline'

export const rename: readonly Turn[] = [
  {
    human:
      'Totals is a poor name, it says nothing about of what. Call it tool usage: the file, the type and the function.',
    steps: [
      say(
        'I look for every place that uses the name before I move anything.',
        bash(
          'grep -rn "tool-totals\\|toolTotals\\|ToolTotals" --include=*.ts --include=*.md . | grep -v node_modules',
          'Find all uses of the name',
        ),
      ),
      step(
        bash(
          `mv ${session}/tool-totals.ts ${session}/tool-usage.ts && mv ${session}/tool-totals.test.ts ${session}/tool-usage.test.ts`,
          'Rename the two files',
        ),
      ),
      step(
        bash(
          `sed -i 's/toolTotals/toolUsage/g; s/ToolTotals/ToolUsage/g; s/tool-totals/tool-usage/g' ${session}/tool-usage.ts ${session}/tool-usage.test.ts`,
          'Rename the identifiers in them',
        ),
      ),
      step(failing(read(`${session}/tool-totals.ts`)), read(`${session}/tool-usage.ts`)),
      say(
        'The variable `totals` and the title of the tests still have the old word.',
        bash(
          `sed -i 's/\\btotals\\b/rows/g' ${session}/tool-usage.ts && sed -i "s/the totals of tools/tool usage/; s/'count calls/'counts calls/; s/'count bytes/'counts bytes/; s/'name the/'names the/" ${session}/tool-usage.test.ts`,
          'Rename the variable and the titles',
        ),
      ),
      step(
        bash(
          `npx vitest run ${session}/tool-usage.test.ts && npx oxlint ${session}/tool-usage.ts ${session}/tool-usage.test.ts; grep -rni "totals" ${session} | head; git status --short`,
          'Test, lint, and look for leftovers',
        ),
      ),
    ],
    answer: `\`tool-totals.ts\` is now \`tool-usage.ts\`, with \`toolUsage(log)\` and the type \`ToolUsage\`; the test moved with it. No trace of the old name is left, and the tests pass under the new one.`,
  },
  {
    human:
      'What happens with a tool that is called "constructor" or "__proto__"? Names come from a model, so they may be anything. Write the test first and show me that it fails.',
    steps: [
      {
        think:
          'Rows are kept in a plain object. rows["constructor"] finds Object.prototype.constructor, so ??= does not make a row; calls += 1 on a function gives NaN on a property of the Object constructor. That is worse than a crash: it writes to a global. A Map has no such names.',
        say: 'I expect the worst: the rows stand in a plain object, so `constructor` finds what every object inherits. The test first.',
        calls: [
          write(
            `${session}/tool-usage-names.test.ts`,
            `import { expect, it } from 'vitest'
import { assistant, call, human, logFrom, result, tool } from '../testing/generate/build.ts'
import { toolUsage } from './tool-usage.ts'

it.each(['constructor', '__proto__', 'toString', '', 'a b'])(
  'counts a tool that is called %j like any other',
  (name) => {
    const log = logFrom([
      human('go'),
      assistant([call('1', name)]),
      tool(result('1', name, 'four')),
    ])
    expect(toolUsage(log)).toEqual([
      { tool: name, calls: 1, failures: 0, bytes: 4, largest: { ref: '3.0', bytes: 4 } },
    ])
  },
)
`,
          ),
        ],
      },
      step(
        failing(bash(`npx vitest run ${session}/tool-usage-names.test.ts`, 'Show that it fails')),
      ),
      {
        say: 'Three of five fail, as feared: the rows of `constructor`, `__proto__` and `toString` were never made. A Map knows no inherited names.',
        calls: [
          bash(
            `sed -i "s/  const rows: Record<string, ToolUsage> = {}/  const rows = new Map<string, ToolUsage>()/; s/      const row = (rows\\[part.toolName\\] ??= emptyRow(part.toolName))/      const row = rows.get(part.toolName) ?? emptyRow(part.toolName)\\n      rows.set(part.toolName, row)/; s/  return Object.values(rows).sort(/  return [...rows.values()].sort(/" ${session}/tool-usage.ts && cat ${session}/tool-usage.ts`,
            'Keep the rows in a Map',
          ),
        ],
      },
      step(
        bash(
          `npx vitest run ${session}/tool-usage.test.ts ${session}/tool-usage-names.test.ts && npx oxlint ${session}`,
          'Run both tests and lint',
        ),
      ),
    ],
    answer: `It failed for three of five names: with a plain object, \`constructor\`, \`__proto__\` and \`toString\` found what every object inherits, and the counts were written there. \`toolUsage\` now keeps its rows in a \`Map\`; all eight tests pass. The new test stands in \`tool-usage-names.test.ts\`, the file is ${home}/${session}/tool-usage.ts.`,
  },
]
