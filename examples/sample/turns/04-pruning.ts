import { bash, read, say, step, type Turn } from '../story.ts'

const compaction = 'packages/throughline/src/compaction'

export const pruning: readonly Turn[] = [
  {
    human:
      'Before we go on: the report counts what the tools returned, but I care about what the model still sees. Explain to me how pruning chooses what goes, in the order of the code, with the files. Change nothing.',
    steps: [
      say(
        'I follow a compaction from the plan to the prune.',
        read(`${compaction}/plan.ts`),
        read(`${compaction}/prune.ts`),
        read(`${compaction}/policy.ts`),
      ),
      step(
        read(`${compaction}/parts.ts`),
        read(`${compaction}/stale.ts`),
        read(`${compaction}/clip.ts`),
      ),
      step(
        read(`${compaction}/clip-input.ts`),
        read(`${compaction}/budget.ts`),
        read(`${compaction}/measure.ts`),
      ),
      say(
        'The tests say what is promised.',
        read(`${compaction}/prune.test.ts`),
        bash(
          `grep -n "it(\\|describe(" ${compaction}/seed/t9.test.ts`,
          'List the cases of the seed',
        ),
      ),
      step(read(`${compaction}/compact.ts`), read(`${compaction}/render.ts`)),
      step(read(`${compaction}/seed/seed-prune.ts`), read(`${compaction}/cut.ts`)),
      step(read(`${compaction}/shrink-step.ts`), read(`${compaction}/kept-replacements.ts`)),
    ],
    answer: `In the order of the code:

1. \`plan.ts\`: \`planCompaction\` measures the next request. If it is at the threshold or over it, the plan first asks whether pruning alone reaches the low-water mark; only if not is there a summary.
2. \`prune.ts\`, \`recentStart\`: nothing from the second-last human message on is touched, unless the outputs since then are worth more than \`recent\`; the last \`recentSteps\` steps stay in any case.
3. \`prune.ts\`, \`pruneCandidates\`: of what is older, results of protected tools and pinned parts are left out, then also what is so small that a placeholder would cost as much.
4. \`stale.ts\`: results of reads that a later read, edit, write, rename or deletion of the same file has made untrue go first; then the oldest results; then long texts in the inputs of old calls.
5. \`clip.ts\`, \`clip-input.ts\`: a failed output that is not stale is clipped and not removed, so that its error lines stay; inputs are clipped leaf by leaf.
6. It takes candidates until the need is met, all in one batch, because each prune breaks the prompt cache once. If the need cannot be met it prunes nothing at all.

What is pruned stays in the log. Only the context shows the placeholder, so your report counts it in full, and \`readRef\` gives the original. To count what the model still sees, one has to read the context and not the log: \`contextOf(log).items\`, whose messages have the replacements in them already.`,
  },
  {
    human:
      'Then add that: for every tool the bytes that the model still sees, beside the bytes that it returned. One pass over each, no more.',
    steps: [
      say(
        'I need items of a context with a prune in it, so I look at how the tests make one.',
        read('packages/throughline/src/log/context.test.ts'),
        read('packages/throughline/src/log/steps.ts'),
      ),
      step(
        read('packages/throughline/src/session/tool-usage.ts'),
        read('packages/throughline/src/session/tool-usage.test.ts'),
      ),
    ],
    answer: `I have what I need, and one question before I write it: should a summary count as something that the model sees of a tool? I would say no. A summary is the summarizer's text and belongs to no tool, so after a compaction \`visible\` counts only the outputs that stand in the tail. If that is right, say so and I go on.`,
  },
]
