/** A system prompt as the Messages API takes it. */
export type SystemPrompt = string | readonly { type: 'text'; text: string }[]

export function systemText(system: SystemPrompt): string {
  return typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n')
}
