import { isSummaryBlock } from '../../../compaction/render/summary-block.ts'
import type { SystemModelMessage } from 'ai'

/** The forms of a system prompt that the SDK accepts. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[]

/** The text of a system prompt, without what a compaction added after it. */
export function instructionsText(instructions: Instructions | undefined): string | undefined {
  const texts = systemMessages(instructions)
    .map(({ content }) => content)
    .filter((content) => !isSummaryBlock(content))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Summaries in a system prompt, if the policy wants them there. */
export function summariesIn(instructions: Instructions | undefined): SystemModelMessage[] {
  return systemMessages(instructions).filter(({ content }) => isSummaryBlock(content))
}

/** The original system prompt, and what a compaction adds after it. */
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
