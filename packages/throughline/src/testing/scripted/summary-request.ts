import { emptyFacts } from '../../facts/facts-of.ts'
import { summaryInstruction } from '../../compaction/summary/instruction.ts'
import { defaultTemplate } from '../../compaction/summary/template.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { counterOf } from '../../tokens/counter.ts'
import { estimatedTokens, modelTokens } from '../../tokens/units.ts'
import type { LiveRequest, SummaryRequest } from '../../compaction/summary/with-model/summarizer.ts'
import type { Message } from '../../log/message.ts'

/** A summary that has all its sections and says nothing. */
export const plainSummary = coreHeadings.map((heading) => `## ${heading}\nall is well`).join('\n\n')

/** A request for a summary, as a session makes it, for testing a summarizer alone. */
export function summaryRequest(
  given: Partial<Omit<SummaryRequest, 'live'>> & { live?: Partial<LiveRequest> } = {},
): SummaryRequest {
  const { previous, budget = estimatedTokens(1_000) } = given
  const template = given.template ?? defaultTemplate
  return {
    head: [],
    through: 3,
    previous: undefined,
    template,
    instruction: summaryInstruction({
      template,
      limit: { tokens: budget, about: { amount: budget / 2, of: 'words' } },
      update: previous !== undefined,
    }),
    budget,
    attempt: 1,
    focus: undefined,
    facts: emptyFacts(),
    counter: counterOf({ ratio: 1 }),
    ...given,
    live: {
      system: undefined,
      messages: [],
      model: undefined,
      window: { context: 100_000 },
      tokens: modelTokens(0),
      now: 0,
      cached: undefined,
      ...given.live,
    },
  }
}

/** A step of an agent that reads a file. */
export function readStep(id: string, output: string): Message[] {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `I look at ${id}.` },
        { type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: `${id}.ts` } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: id,
          toolName: 'read',
          output: { type: 'text', value: output },
        },
      ],
    },
  ]
}
