/** The provider of a model, by its name, in the words that harnesses share. */
export function providerOf(model: string): string | undefined {
  return providers.find(([names]) => names.test(model))?.[1]
}

const providers: readonly (readonly [RegExp, string])[] = [
  [/^claude/, 'anthropic'],
  [/^(?:gpt|o\d|codex|chatgpt)/, 'openai'],
  [/^gemini/, 'google'],
  [/^deepseek/, 'deepseek'],
  [/^grok/, 'xai'],
  [/^(?:mistral|codestral|devstral)/, 'mistral'],
]
