import { isSummaryBlock } from '../../../compaction/render/summary-block.ts'
import type { SystemModelMessage } from 'ai'

/** How the SDK takes a system prompt. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[]

/** The text of a system prompt, without what a compaction put behind it. */
export function instructionsText(instructions: Instructions | undefined): string | undefined {
  const texts = systemMessages(instructions)
    .map(({ content }) => content)
    .filter((content) => !isSummaryBlock(content))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Summaries that stand in a system prompt, where the policy wants them there. */
export function summariesIn(instructions: Instructions | undefined): SystemModelMessage[] {
  return systemMessages(instructions).filter(({ content }) => isSummaryBlock(content))
}

/** The system prompt as it was given first, and what a compaction puts behind it. */
export function withSummaries(
  initial: Instructions | undefined,
  summaries: readonly SystemModelMessage[],
): SystemModelMessage[] {
  return [
    ...systemMessages(initial).filter(({ content }) => !isSummaryBlock(content)),
    ...summaries,
  ]
}

function systemMessages(instructions: Instructions | undefined): SystemModelMessage[] {
  if (instructions === undefined || instructions === '') return []
  if (typeof instructions === 'string') return [{ role: 'system', content: instructions }]
  return Array.isArray(instructions) ? instructions : [instructions]
}
