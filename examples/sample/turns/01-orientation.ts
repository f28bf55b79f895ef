import { bash, read, say, step, type Turn } from '../story.ts'

const log = 'packages/throughline/src/log'
const src = 'packages/throughline/src'

export const orientation: readonly Turn[] = [
  {
    human: `I want a small report on a session: for every tool how often it was called, how often it failed, how many bytes its outputs have, and which output is the largest, by its ref.

Read how the log, its parts and the refs work before you propose anything, then give me a numbered list of what you would do. Write no code yet.

Some rules for all of this work:
- Never push, and never commit: I do that myself.
- Use npm, not pnpm.
- Leave AGENTS.md alone.`,
    steps: [
      {
        think:
          'The human wants a plan first. I should read the conventions of the repository, then the lowest floor: entries, messages, refs. Nothing is to be written yet.',
        say: 'I start with the conventions of the house and the state of the repository.',
        calls: [
          bash(
            'git status --short | head -20; git log --oneline | head',
            'Show the state of the repository',
          ),
          read('AGENTS.md'),
          read('package.json'),
        ],
      },
      say(
        'Now the lowest floor: what an entry is, what a message is, what a ref names.',
        read(`${log}/entry.ts`),
        read(`${log}/message.ts`),
        read(`${log}/ref.ts`),
      ),
      step(read(`${log}/message-text.ts`), read(`${log}/order.ts`), read(`${log}/entry-at.ts`)),
      say(
        'A log can be read in two orders. I want to see what the context makes of it, since outputs can be pruned there.',
        read(`${log}/context.ts`),
        read(`${log}/replace.ts`),
      ),
      step(
        bash(
          `grep -rn "outputText\\|utf8Bytes" --include=*.ts ${src} | grep -v test | head -40`,
          'Find who measures outputs already',
        ),
        bash(`ls ${src} ${src}/log ${src}/session`, 'List the floors that matter'),
      ),
      say(
        'Bytes are counted once already, for the placeholder of a pruned output. I check how failures are told apart.',
        read(`${src}/compaction/placeholder.ts`),
        bash(
          `grep -rn "error-text\\|error-json" --include=*.ts ${src} | grep -v test | head -30`,
          'Find how failed outputs are marked',
        ),
      ),
      step(read(`${src}/log/latest.ts`), read(`${src}/log/latest.test.ts`)),
    ],
    answer: `Nothing is written yet. What I found:

- A log is a \`Chronological\` of entries; only entries of kind \`message\` hold parts. Calls are \`tool-call\` parts of assistant messages, results are \`tool-result\` parts of tool messages (or of the assistant's own message where the provider ran the tool).
- A failed output has the type \`error-text\` or \`error-json\`. A call without a result is open or was aborted: neither failed nor succeeded.
- \`ref(seq, part)\` names one part for ever, and \`readRef\` reads it back. \`utf8Bytes\` in \`compaction/placeholder.ts\` gives the length in bytes without encoding.

What I would do:

1. A pure function \`toolTotals(log)\` in \`packages/throughline/src/session/tool-totals.ts\`: one pass over the log, one row for each tool, the largest first.
2. Count bytes as the placeholder does, so that the two figures agree.
3. Name the largest output of each tool by its ref.
4. Print the rows as a Markdown table.
5. Tests beside the code: parallel calls, a failed one, an aborted one, a result without its call, text that is not ASCII.
6. Export it from \`packages/throughline/src/index.ts\` when you have seen it.

It belongs to \`session/\`: it reads the log and decides nothing, and \`log/\` should stay without opinions.`,
  },
]
