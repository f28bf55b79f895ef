import { bash, edit, read, step, type Turn } from '../story.ts'

const session = 'packages/throughline/src/session'

export const review: readonly Turn[] = [
  {
    human:
      'Agreed. Review all that you changed as if someone else had written it, and fix what you find.',
    steps: [
      step(bash('git status --short; git diff --stat; git diff', 'Show all changes')),
      step(
        read(`${session}/tool-usage.ts`),
        read(`${session}/tool-usage.test.ts`),
        read(`${session}/tool-usage-names.test.ts`),
        read(`${session}/tool-usage.properties.test.ts`),
        read('examples/tool-usage.ts'),
      ),
      {
        think:
          'The comment of ToolUsage says nothing about units since the interface comment. bytes: of all its outputs; add UTF-8. The examples script imports from source by relative paths, fine. The names test could live in the main test file, but a separate file is fine. Sorting: ties keep the order of first appearance, which is stable; say so.',
        say: 'Two remarks on my own work: the unit of `bytes` is not said, and neither is the order of tools with equal bytes.',
        calls: [
          edit(
            `${session}/tool-usage.ts`,
            '/** What one tool has brought into a session. */',
            '/** What one tool has brought into a session. Sizes are in bytes of UTF-8. */',
          ),
          edit(
            `${session}/tool-usage.ts`,
            ' * What each tool has brought into a session, the most bytes first.\n',
            ' * What each tool has brought into a session, the most bytes first; tools with as many stand in\n * the order in which they were first called.\n',
          ),
        ],
      },
      step(
        bash(
          `npx vitest run ${session}/tool-usage && npx oxlint ${session} && npx oxfmt --check ${session}/tool-usage.ts ${session}/tool-usage.test.ts AGENTS.md`,
          'Run the tests of what changed, lint, check the format',
        ),
      ),
      step(
        bash(
          'git status --short && git log --oneline | head -3 && git stash list',
          'Make sure that nothing was committed',
        ),
      ),
    ],
    answer: `I read the whole diff again and changed two comments: \`bytes\` now says its unit, and \`toolUsage\` says in which order tools with equal sizes stand.

Where things are:
- \`packages/throughline/src/session/tool-usage.ts\`: \`toolUsage(log)\`, exported from \`src/index.ts\` with its type.
- Tests: \`tool-usage.test.ts\`, \`tool-usage-names.test.ts\`, \`tool-usage.properties.test.ts\`; all pass.
- \`examples/tool-usage.ts\` prints the rows of a transcript.
- AGENTS.md names it in the map of the house.

Nothing is committed and nothing was pushed. The linter and the formatter are content.`,
  },
]
