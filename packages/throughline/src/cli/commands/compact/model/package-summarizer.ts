import { headSummarizer } from '../../../../integrations/conversation/head-summarizer.ts'
import { countOf, fieldsOf, objectsOf, textOf, type Fields } from '../../../../json/fields.ts'
import { CommandError, codeOf } from '../../../errors.ts'
import type {
  Summarizer,
  SummaryAnswer,
} from '../../../../compaction/summary/with-model/summarizer.ts'
import type { Usage } from '../../../../log/entry.ts'
import type { ChosenModel } from './chosen-model.ts'

/** A model of the AI SDK, as its providers make one: the part that all versions have in common. */
interface SdkModel {
  doGenerate: (options: {
    prompt: readonly object[]
    maxOutputTokens: number
    abortSignal?: AbortSignal
  }) => PromiseLike<unknown>
}

/**
 * A summarizer by a provider of the AI SDK, whose package is loaded from where Throughline is
 * installed: never from the directory that somebody works in.
 * @throws CommandError if it isn't installed, or isn't such a provider.
 */
export async function packageSummarizer({
  provider,
  model,
}: Extract<ChosenModel, { type: 'package' }>): Promise<Summarizer> {
  const name = `@ai-sdk/${provider}`
  const made = modelOf(await loaded(name), provider, model)
  if (!made) {
    throw new CommandError(`${name} makes no model ${JSON.stringify(model)} by its name.`)
  }
  return headSummarizer(
    model,
    async ({ system, prompt, maxTokens, signal }) =>
      answerIn(
        await made.doGenerate({
          prompt: [
            { role: 'system', content: system },
            { role: 'user', content: [{ type: 'text', text: prompt }] },
          ],
          maxOutputTokens: maxTokens,
          ...(signal && { abortSignal: signal }),
        }),
      ),
    {},
  )
}

async function loaded(name: string): Promise<Fields> {
  try {
    return (await import(name)) as Fields
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new CommandError(
      `${name} is not installed beside Throughline. To install it: npm install -g ${name}`,
      { cause },
    )
  }
}

/** Each package exports its provider by its own name: `cohere`, `amazonBedrock` as `bedrock`. */
function modelOf(exports: Fields, provider: string, model: string): SdkModel | undefined {
  const camel = provider.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const last = provider.split('-').at(-1) ?? provider
  const make = exports[camel] ?? exports[last] ?? exports['default']
  if (typeof make !== 'function') return undefined
  const made: unknown = make(model)
  return fieldsOf(made) && typeof fieldsOf(made)?.['doGenerate'] === 'function'
    ? (made as SdkModel)
    : undefined
}

/** An answer of any version: older ones have plain values where newer ones have objects. */
function answerIn(answer: unknown): Omit<SummaryAnswer, 'calls'> {
  const fields = fieldsOf(answer) ?? {}
  const parts = objectsOf(fields['content'])
  const text = parts.map((part) => (part['type'] === 'text' ? (textOf(part['text']) ?? '') : ''))
  const called = parts.some((part) => part['type'] === 'tool-call')
  const usage = usageIn(fieldsOf(fields['usage']))
  const reason = fieldsOf(fields['finishReason'])?.['unified'] ?? fields['finishReason']
  return {
    text: text.join(''),
    finish: called ? 'tool-calls' : (finishes.find((each) => each === reason) ?? 'other'),
    ...(usage && { usage }),
  }
}

const finishes = ['stop', 'length', 'content-filter', 'error'] as const

function usageIn(usage: Fields | undefined): Usage | undefined {
  const input = amount(usage?.['inputTokens'])
  const output = amount(usage?.['outputTokens'])
  if (input === undefined || output === undefined) return undefined
  return { inputTokens: input, outputTokens: output }
}

function amount(value: unknown): number | undefined {
  return countOf(value) ?? countOf(fieldsOf(value)?.['total'])
}
