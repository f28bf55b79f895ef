// The provider names of the conventions, by the beginnings of model names.
const names: readonly (readonly [beginning: string, provider: string])[] = [
  ['claude', 'anthropic'],
  ['gpt', 'openai'],
  ['chatgpt', 'openai'],
  ['o1', 'openai'],
  ['o3', 'openai'],
  ['o4', 'openai'],
  ['gemini', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['codestral', 'mistral_ai'],
  ['magistral', 'mistral_ai'],
  ['devstral', 'mistral_ai'],
  ['grok', 'x_ai'],
  ['deepseek', 'deepseek'],
  ['command', 'cohere'],
]

/** Who makes a model of this name; `undefined` if the name doesn't show it. */
export function providerName(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  return names.find(([beginning]) => model.startsWith(beginning))?.[1]
}
