import { bash, read, say, step, type Turn } from '../story.ts'

const summary = 'packages/throughline/src/compaction/summary'

export const summaries: readonly Turn[] = [
  {
    human:
      'Last question before the review: could the local summary name the tools that fill a session, with what we have now? Read how it is laid out and how it shares its room, and tell me what it would cost. Again, change nothing.',
    steps: [
      say(
        'I read the local summarizer from its entry down.',
        read(`${summary}/local/summarize-locally.ts`),
        read(`${summary}/local/layout.ts`),
        read(`${summary}/local/room.ts`),
      ),
      step(
        read(`${summary}/local/worth.ts`),
        read(`${summary}/local/findings.ts`),
        read(`${summary}/local/commands.ts`),
      ),
      step(
        read(`${summary}/local/changed-files.ts`),
        read(`${summary}/local/file-lines.ts`),
        read(`${summary}/local/goal.ts`),
      ),
      step(
        read(`${summary}/template.ts`),
        read(`${summary}/check.ts`),
        read(`${summary}/repair.ts`),
      ),
      step(read(`${summary}/local/summarize-locally.test.ts`), read(`${summary}/index/facts.ts`)),
      step(
        read(`${summary}/local/instructions.ts`),
        read(`${summary}/local/name-list.ts`),
        bash(
          `grep -rn "shares" ${summary}/local --include=*.ts | head -30`,
          'See who asks for a share',
        ),
      ),
      step(
        read(`${summary}/sections.ts`),
        read(`${summary}/unseen.ts`),
        read(`${summary}/instruction.ts`),
      ),
      step(
        read('packages/throughline/src/session/loop.ts'),
        read('packages/throughline/src/session/session.ts'),
      ),
    ],
    answer: `It could, but I would not.

- The summarizer writes from the index alone, and the index has no sizes of outputs. Either the index learns them, which every session then pays for, or the summary gets the log, which it must not know.
- Its room is shared out in \`summarize-locally.ts\`: requests, changed files, conclusions, commands and an earlier summary each have a share, and what is left goes to names. Six lines on tools would cost some 120 tokens of a budget of a few thousand, and push out names that the agent has to spell right.
- What fills a session is of use to the human who looks at it, not to the agent that goes on with the work.

So the figures belong into a report beside the summary, where they are now.`,
  },
]
