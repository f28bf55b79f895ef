import { bash, edit, read, step, type Turn } from '../story.ts'

export const permission: readonly Turn[] = [
  {
    human:
      'You may edit AGENTS.md now, forget what I said about leaving it alone. Say in its map of the house where the new file stands.',
    steps: [
      step(read('AGENTS.md'), bash('ls packages/throughline/src/session', 'List the folder')),
      step(
        edit(
          'AGENTS.md',
          'the log in a store, the loop, events, plugins',
          'the log in a store, the loop, events, plugins, what each tool has used',
        ),
      ),
      step(bash('git diff AGENTS.md && npx oxfmt --check AGENTS.md', 'Show and check the change')),
    ],
    answer: `The line of \`session/\` in AGENTS.md now ends with “what each tool has used”. I left the rest of the file as it was.`,
  },
]
