import { fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { finishOf, usageOf } from '../../wires/gemini/usage.ts'
import { joinedPieces } from './contents-of.ts'
import type { Answer } from '../conversation/conversation.ts'
import type { GeminiContent } from '../../wires/gemini/content.ts'

/** A response of `generateContent`, as far as Throughline reads it: `GenerateContentResponse`. */
export interface GoogleResponse {
  candidates?: readonly { content?: GeminiContent; finishReason?: string }[]
  usageMetadata?: object
  modelVersion?: string
}

/** The answer in a response, or in the pieces of a stream. */
export function answerOf(pieces: readonly GoogleResponse[]): Answer<GeminiContent> {
  const contents = pieces.flatMap(({ candidates }): GeminiContent[] => {
    const content = candidates?.[0]?.content
    return content && objectsOf(content.parts).length > 0 ? [{ role: 'model', ...content }] : []
  })
  const last = pieces.findLast(({ candidates }) => candidates?.[0]?.finishReason !== undefined)
  const usage = usageOf(pieces.findLast((piece) => piece.usageMetadata)?.usageMetadata)
  const model = textOf(pieces.at(-1)?.modelVersion)
  const calls = contents.some(({ parts }) =>
    objectsOf(parts).some((part) => fieldsOf(part['functionCall'])),
  )
  return {
    natives: joinedPieces(contents),
    finish: calls ? 'tool-calls' : finishOf(textOf(last?.candidates?.[0]?.finishReason)),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  }
}
