import { nameOf, timeOf } from '../../json/fields.ts'

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

/** No model existed before this time in milliseconds, so a smaller number counts seconds. */
const earliest = 100_000_000_000

/** A point in time in milliseconds since 1970, from an ISO text, milliseconds or seconds. */
export function clockTime(value: unknown): number | undefined {
  const time = timeOf(value)
  if (time === undefined || typeof value !== 'number') return time
  return Math.abs(time) < earliest ? Math.round(time * 1000) : time
}

/** Written where a harness requires a model's name and the session has none. */
export const noModel = 'unknown'

/** The name of a model, if a record holds one. */
export function modelNameOf(value: unknown): string | undefined {
  const name = nameOf(value)
  return name === noModel ? undefined : name
}

/**
 * The time of a message in a file: harnesses that find a future time, or none, wait or fail, so
 * these become `now`. In milliseconds since 1970.
 */
export function momentOf(at: number, now: number): number {
  return at > 0 && at < now ? Math.floor(at) : now
}

/** A file that is one JSON document, formatted for people to read. */
export function jsonDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
