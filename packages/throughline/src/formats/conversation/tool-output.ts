import type { ProviderOptions, ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What a tool said. */
export function textOutput(value: string, failed: boolean): ToolOutput & { value: string } {
  return { type: failed ? 'error-text' : 'text', value }
}

/** What a tool gave in pieces: one text if all are text. `mark` says of others that the tool failed. */
export function outputOfPieces(
  pieces: readonly ToolOutputPart[],
  failed: boolean,
  mark: ProviderOptions,
): ToolOutput {
  if (pieces.every(({ type }) => type === 'text')) {
    return textOutput(pieces.map(({ text }) => text ?? '').join('\n'), failed)
  }
  return { type: 'content', value: [...pieces], ...(failed && { providerOptions: mark }) }
}
