import type { ProviderMessage, ProviderPrompt } from './scripted/model-types.ts'

/**
 * What a strict provider would reject in a prompt; empty if nothing. These are the strictest rules
 * of Anthropic and OpenAI: results right after their calls, exactly one per call, no id twice,
 * nothing empty, no system message among the others, the user first and the assistant never last.
 */
export function promptProblems(prompt: ProviderPrompt): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  let open = new Set<string>()
  let begun = false
  prompt.forEach((message, index) => {
    const say = (problem: string): number => problems.push(`message ${index}: ${problem}`)
    if (message.role !== 'tool') {
      for (const id of open) say(`call ${id} has no result before it`)
      open = new Set()
    }
    if (message.role === 'system') {
      if (begun) say('a system message among the others')
      return
    }
    if (!begun && message.role !== 'user') say(`the first is of the ${message.role}, not the user`)
    begun = true
    if (isEmpty(message)) say(`empty ${message.role} message`)
    for (const part of message.content) {
      if (part.type === 'text' && part.text.trim() === '') say('a text part without text')
      if (part.type === 'tool-call' && !part.providerExecuted) {
        if (ids.has(part.toolCallId)) say(`call ${part.toolCallId} was made before`)
        ids.add(part.toolCallId)
        open.add(part.toolCallId)
      }
      if (part.type === 'tool-result' && message.role === 'tool' && !open.delete(part.toolCallId)) {
        say(`result of ${part.toolCallId} without its call right before`)
      }
    }
  })
  for (const id of open) problems.push(`call ${id} has no result`)
  const last = prompt.at(-1)
  if (!begun) problems.push('no messages')
  else if (last?.role !== 'user' && last?.role !== 'tool')
    problems.push('the last is not the user’s')
  return problems
}

function isEmpty(message: Exclude<ProviderMessage, { role: 'system' }>): boolean {
  return message.content.length === 0
}

/** A prompt that a strict provider would reject with 400. */
export class IllegalPromptError extends Error {
  readonly statusCode = 400
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The prompt breaks the provider's rules: ${problems.join('; ')}`)
    this.name = 'IllegalPromptError'
    this.problems = problems
  }
}
