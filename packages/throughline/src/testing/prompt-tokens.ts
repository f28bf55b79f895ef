import type { ProviderPrompt, ProviderRequest } from './scripted/model-types.ts'

/** Counts the tokens of a text. */
export type CountText = (text: string) => number

/** The size of a request by a simple independent rule: bytes of the JSON text, divided by four. */
export function bytesOverFour(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 4)
}

/** The tokens of a whole request, including tools. */
export function requestTokens({ prompt, tools }: ProviderRequest, count: CountText): number {
  return promptTokens(prompt, count) + (tools ? count(JSON.stringify(tools)) : 0)
}

/** The tokens of a prompt: of its texts, inputs and outputs, plus some for each message. */
function promptTokens(prompt: ProviderPrompt, count: CountText): number {
  return prompt.reduce((sum, message) => {
    if (message.role === 'system') return sum + count(message.content)
    const parts = message.content.map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return count(part.text)
      if (part.type === 'tool-call') return count(part.toolName + JSON.stringify(part.input))
      if (part.type === 'tool-result') return count(outputText(part.output))
      return 0
    })
    return sum + 4 + parts.reduce((total, tokens) => total + tokens, 0)
  }, 0)
}

function outputText(output: { type: string; value?: unknown; reason?: string }): string {
  if (typeof output.value === 'string') return output.value
  return JSON.stringify(output.value ?? output.reason ?? '')
}
