import { imageOutput, imagePart } from '../codex/media.ts'
import { listOf } from '../../json/fields.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { ToolOutputPart } from '../../log/message.ts'

/** The images of a message, by their addresses. */
export function imageParts(urls: unknown): OriginPart[] {
  return listOf(urls).flatMap((url) => {
    const part = imagePart({ image_url: url })
    return part ? [{ origin: 'human', part }] : []
  })
}

export function imageOutputs(urls: unknown): ToolOutputPart[] {
  return listOf(urls).flatMap((url) => imageOutput({ image_url: url }) ?? [])
}
