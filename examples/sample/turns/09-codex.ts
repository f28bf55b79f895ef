import { bash, read, say, step, type Turn } from '../story.ts'

const formats = 'packages/throughline/src/formats'
const index = 'packages/throughline/src/compaction/summary/index'

export const codex: readonly Turn[] = [
  {
    human:
      'Would the report be right for a Codex session too? There a shell is called exec_command, and failures may only stand in the text. Look at how its reader names tools and marks failures, and at how the index tells a failure. Just look, for this one.',
    steps: [
      say(
        'First the reader of Codex sessions.',
        bash(`ls ${formats} ${formats}/codex ${formats}/claude-code`, 'List the readers'),
        read(`${formats}/codex/reader.ts`),
        read(`${formats}/codex/transcript.ts`),
      ),
      step(read(`${formats}/codex/step.ts`), read(`${formats}/codex/origin.ts`)),
      step(read(`${formats}/claude-code/reader.ts`), read(`${formats}/codex/tool-output.ts`)),
      step(
        bash(`grep -n "error-text" -r ${formats} | head -20`, 'Find where readers mark failures'),
        read(`${formats}/format.ts`),
      ),
      say(
        'Now how the index tells a failed command from one that worked.',
        read(`${index}/outcome/read-outcome.ts`),
        read(`${index}/lenses/command-lens.ts`),
      ),
      step(read(`${index}/lenses/file-lenses.ts`), read(`${index}/lenses/arguments.ts`)),
      step(read(`${index}/outcome/telling-line.ts`), read(`${index}/error-facts.ts`)),
      step(read(`${index}/fold-call.ts`), read(`${index}/lens.ts`)),
      step(read(`${formats}/codex/reader.test.ts`)),
      step(read(`${index}/shell/read-shell.ts`), read(`${index}/shell/purpose.ts`)),
    ],
    answer: `The names are right: the reader keeps whatever the session called a tool, so \`exec_command\` gets a row of its own. The failures are right in part. Where Codex gives the exit code as metadata beside the output, \`codex/tool-output.ts\` marks the result as failed. Where it only writes “Process exited with code 2” into the text, nothing is marked, and \`readOutcome\` in \`summary/index/outcome/read-outcome.ts\` is what finds it. \`toolUsage\` looks at the type of the output alone, so it misses the second kind.

If you want that right, the row should ask \`readOutcome\` for an exit code where the output is no error by its type. I have changed nothing.`,
  },
  {
    human: 'Yes, do that, with a test that has an exit code in the text.',
    steps: [
      step(
        read('packages/throughline/src/session/tool-usage.ts'),
        bash(`grep -n "export" ${index}/outcome/read-outcome.ts`, 'See what it exports'),
      ),
    ],
    answer: `One thing first, because it changes what a failure is: \`grep\` ends with code 1 where it finds nothing, and a test run that fails has done its work. By exit codes both would be failures of the tool. I would count them, since the agent had to react to them, and say so in the comment. Is that what you want?`,
  },
]
