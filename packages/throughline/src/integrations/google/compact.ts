import { compactNatives, type CompactResult } from '../conversation/compact-natives.ts'
import { markedNativesIn } from '../../wires/wire.ts'
import { rememberedGemini } from '../gemini/open-gemini.ts'
import type { CompactLogOptions } from '../../session/once/compact-log.ts'
import type { GeminiContent } from '../../wires/gemini/read-parts.ts'

/**
 * Compacts the contents of `generateContent` if their request would not fit the window, and returns
 * contents of the same type. Unchanged ones come back as the same objects, with all of their fields.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws MessageConversionError if the contents hold something that can't be converted back; it
 * says where.
 * @example
 * const { messages: shorter } = await compactContents(contents, { window: { context: 1_000_000 } })
 */
export async function compactContents<Content extends GeminiContent>(
  contents: readonly Content[],
  options: CompactLogOptions,
): Promise<CompactResult<Content>> {
  const { pairs, ...rest } = await compactNatives(rememberedGemini, contents, options)
  // The new contents are plain text, in shapes that every type of contents has.
  return { ...rest, messages: markedNativesIn(pairs) as Content[] }
}
