import { outputText } from '../log/message-text.ts'
import { mediumOf, wordsFor, type Medium } from './media.ts'
import type { ToolOutput } from '../log/message.ts'

/** A tool's output, piece by piece: words and media. */
export function outputPieces(output: ToolOutput): (string | Medium)[] {
  if (output.type !== 'content') return [outputText(output)]
  return output.value.map((part) => (part.type === 'text' ? (part.text ?? '') : mediumOf(part)))
}

/** A tool's output as words only, for formats that accept no media there. */
export function outputWords(output: ToolOutput): string {
  return outputPieces(output)
    .map(wordsFor)
    .filter((words) => words !== '')
    .join('\n')
}

/** Whether a call failed or was refused; a format may record it next to the output. */
export function isFailed({ type, providerOptions }: ToolOutput): boolean {
  if (type === 'error-text' || type === 'error-json' || type === 'execution-denied') return true
  return Object.values(providerOptions ?? {}).some(
    (noted) => noted['failed'] === true || noted['isError'] === true,
  )
}
