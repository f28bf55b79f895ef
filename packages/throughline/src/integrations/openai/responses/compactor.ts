import { callsOfOne } from '../../conversation/provider-calls.ts'
import { fieldsOf, objectsOf } from '../../../json/fields.ts'
import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import { openaiResponsesWire } from '../../../wires/openai-responses/write.ts'
import { SummaryFailedError } from '../../../compaction/errors.ts'
import { usageOf } from '../../../wires/openai-responses/read.ts'
import type { Prices } from '../../../tokens/price-table.ts'
import type { ProviderCompactor } from '../../../compaction/provider/provider-compactor.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/calls.ts'

/** A client of the `openai` package, as far as its compaction needs one. */
export interface OpenAICompactionClient {
  responses: {
    compact(
      body: {
        model: string
        /** Of the package's own union, which only it names. */
        input: never[]
        instructions?: string
      },
      options: { signal?: AbortSignal },
    ): PromiseLike<{ output: readonly object[]; usage: object }>
  }
}

/** The model that the session talks to, and its prices if they are not the known ones. */
export interface OpenAICompactorOptions {
  model: string
  prices?: Prices
}

/**
 * OpenAI's own compaction, `POST /responses/compact`, for {@link openResponses}: its sealed item
 * stands for the head while OpenAI answers, and our summary beside it for everybody else.
 * @example
 * const compactor = openaiCompactor(client, { model: 'gpt-5.4' })
 * const conversation = await openResponses({ store, id: 'a', window, compactor })
 */
export function openaiCompactor(
  client: OpenAICompactionClient,
  { model, prices }: OpenAICompactorOptions,
): ProviderCompactor {
  const name = `openai/${model}`
  return {
    provider: 'openai',
    name,
    async compact({ messages, system }, { signal }) {
      const input = nativesIn(openaiResponsesWire.write(messages)) as never[]
      const call = callsOfOne(model, prices)
      const body = { model, input, ...(system && { instructions: system }) }
      const response = await call.made(
        client.responses.compact(body, { ...(signal && { signal }) }),
      )
      const output = objectsOf(response.output) as readonly ResponsesItem[]
      const calls = call.answered(usageOf(response.usage))
      const isCompacted = output.some((item) => fieldsOf(item)?.['type'] === 'compaction')
      if (!isCompacted) throw new SummaryFailedError('the output holds no compaction', { calls })
      return { messages: messagesIn(openaiResponsesWire.read(output)), calls }
    },
  }
}
