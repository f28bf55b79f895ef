import { fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { geminiWire, finishOf, usageOf } from '../../wires/gemini/wire.ts'
import { openConversationOf, type Answer, type Conversation } from '../conversation/conversation.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import type { GeminiContent } from '../../wires/gemini/read-parts.ts'
import type { SessionOptions } from '../../session/options.ts'

/** An answer of Gemini’s API, as far as Throughline reads it: `GenerateContentResponse`. */
export interface GeminiResponse {
  candidates?: readonly object[]
  usageMetadata?: object
  modelVersion?: string
}

/** Gemini’s API, with what has been read and written in this process remembered. */
export const rememberedGemini: RememberingWire<GeminiContent> = remembering(geminiWire)

/**
 * A conversation over `generateContent` whose whole log is stored in a session: you can send the
 * same contents again and again, and they always fit. You make the requests yourself; the system
 * instruction is `system`, and no part of `contents`.
 * @example
 * const conversation = await openGemini<Content>({ store, id: 'a', window, system, tools })
 * const { response, messages: all } = await conversation.send(contents, (contents) =>
 *   ai.models.generateContent({ model, contents, config: { systemInstruction: system, tools } }),
 * )
 */
export async function openGemini<Content extends GeminiContent = GeminiContent>(
  options: SessionOptions,
): Promise<Conversation<Content, GeminiResponse>> {
  const conversation = await openConversationOf(
    { wire: rememberedGemini, answer: answerOf },
    options,
  )
  // The new contents are plain text, in shapes that every content type has.
  return conversation as unknown as Conversation<Content, GeminiResponse>
}

function answerOf({
  candidates,
  usageMetadata,
  modelVersion,
}: GeminiResponse): Answer<GeminiContent> {
  const candidate = fieldsOf(candidates?.[0])
  const content = fieldsOf(candidate?.['content'])
  const parts = objectsOf(content?.['parts'])
  const usage = usageOf(usageMetadata)
  const calls = parts.some((part) => fieldsOf(part['functionCall']))
  return {
    natives: content ? [{ ...content, role: 'model', parts }] : [],
    finish: calls ? 'tool-calls' : finishOf(textOf(candidate?.['finishReason'])),
    ...(usage && { usage }),
    ...(modelVersion !== undefined && { model: modelVersion }),
  }
}
