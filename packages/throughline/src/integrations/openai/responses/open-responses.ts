import { fieldsOf, nameOf, objectsOf } from '../../../json/fields.ts'
import { finishOf, usageOf } from '../../../wires/openai-responses/read.ts'
import { isFunctionCall, type ResponsesItem } from '../../../wires/openai-responses/calls.ts'
import { openConversationOf } from '../../conversation/conversation.ts'
import { openaiResponsesWire } from '../../../wires/openai-responses/write.ts'
import { remembering, type RememberingWire } from '../../../wires/remembering/remembering.ts'
import type { Answer, Conversation } from '../../conversation/conversation.ts'
import type { SessionOptions } from '../../../session/options.ts'

/** The Responses API, with what has been read and written in this process remembered. */
export const rememberedResponses: RememberingWire<ResponsesItem> = remembering(openaiResponsesWire)

/** A response of the Responses API, as far as Throughline reads it: `Response`. */
export interface ResponsesResponse {
  output: readonly ResponsesItem[]
  model: string
  status?: string | null
  usage?: object | null
  error?: { message: string } | null
}

/**
 * A conversation over the `openai` package's Responses whose whole log is stored in a session: you
 * can send the same input again and again, and it always fits. You make the requests yourself, with
 * the whole input each time: `store: false`, and no `previous_response_id`.
 * @example
 * const conversation = await openResponses<ResponseInputItem>({ store, id: 'a', window, tools })
 * const { response, messages: all } = await conversation.send(input, (input) =>
 *   client.responses.create({ model, tools, input, store: false }),
 * )
 */
export async function openResponses<Item extends ResponsesItem = ResponsesItem>(
  options: SessionOptions,
): Promise<Conversation<Item, ResponsesResponse>> {
  const conversation = await openConversationOf(
    { wire: rememberedResponses, answer: answerOf },
    { provider: 'openai', ...options },
  )
  // The new items are plain text, in shapes that every item type has.
  return conversation as unknown as Conversation<Item, ResponsesResponse>
}

/** @throws the response's error if it failed: a stream reports it in its last event. */
function answerOf(response: ResponsesResponse): Answer<ResponsesItem> {
  const { output, model, status, error } = response
  if (status === 'failed') {
    const message = nameOf(error?.message) ?? 'it gives no reason'
    throw new FailedResponse({ message, cause: error })
  }
  const usage = usageOf(response.usage)
  const calls = objectsOf(output).some(isFunctionCall)
  return {
    natives: output,
    finish: finishOf(fieldsOf(response) ?? {}) ?? (calls ? 'tool-calls' : 'stop'),
    model,
    ...(usage && { usage }),
  }
}

/** A response that arrived but failed: the provider's error, not ours. */
class FailedResponse extends Error {
  override readonly name = 'FailedResponse'

  constructor({ message, cause }: { message: string; cause: unknown }) {
    super(`The response failed: ${message}`, { cause })
  }
}
