import type { Message, ToolOutput } from 'throughline'

export interface Call {
  id: string
  name: string
  input: Record<string, unknown>
}

export interface Result {
  id: string
  name: string
  text: string
  failed: boolean
}

/** What a message says in text. Reasoning and media are left out: not every peer has them. */
export function textIn({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

export function callsIn({ content }: Message): Call[] {
  if (typeof content === 'string') return []
  return content.flatMap((part): Call[] => {
    if (part.type !== 'tool-call') return []
    return [{ id: part.toolCallId, name: part.toolName, input: asRecord(part.input) }]
  })
}

export function resultsIn({ content }: Message): Result[] {
  if (typeof content === 'string') return []
  return content.flatMap((part): Result[] => {
    if (part.type !== 'tool-result') return []
    const { toolCallId: id, toolName: name, output } = part
    return [{ id, name, text: outputText(output), failed: output.type.startsWith('error') }]
  })
}

function asRecord(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? { ...input }
    : { input }
}

function outputText(output: ToolOutput): string {
  if (output.type === 'execution-denied') return output.reason ?? ''
  if (output.type === 'content') return output.value.map(({ text }) => text ?? '').join('\n')
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
}

export function tokensOf(messages: readonly Message[]): number {
  const bytes = messages.reduce((sum, message) => {
    const inputs = callsIn(message).map(({ input }) => JSON.stringify(input))
    const results = resultsIn(message).map(({ text }) => text)
    return sum + Buffer.byteLength([textIn(message), ...inputs, ...results].join(''))
  }, 0)
  return Math.ceil(bytes / 4)
}
