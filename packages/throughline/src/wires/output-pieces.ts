import { outputText } from '../log/message-text.ts'
import { mediumOf, wordsFor, type Medium } from './media.ts'
import type { ToolOutput } from '../log/message.ts'

/** What a tool gave, piece by piece: words and media. */
export function outputPieces(output: ToolOutput): (string | Medium)[] {
  if (output.type !== 'content') return [outputText(output)]
  return output.value.map((part) => (part.type === 'text' ? (part.text ?? '') : mediumOf(part)))
}

/** What a tool gave, in words alone: for a format that takes no media there. */
export function outputWords(output: ToolOutput): string {
  return outputPieces(output)
    .map(wordsFor)
    .filter((words) => words !== '')
    .join('\n')
}

/** Whether a call failed or was refused; a format may have noted it beside the output. */
export function isFailed({ type, providerOptions }: ToolOutput): boolean {
  if (type === 'error-text' || type === 'error-json' || type === 'execution-denied') return true
  return Object.values(providerOptions ?? {}).some(
    (noted) => noted['failed'] === true || noted['isError'] === true,
  )
}
