import { safeEnd } from '../../compaction/clip/clip.ts'
import { cutPassage, type Passage } from './passage.ts'
import { wrap } from './wrap.ts'
import type { CountTokens } from '../../tokens/count.ts'

// No tokenizer makes longer tokens of what is worth reading.
const longestToken = 16

/** The beginning of a passage that has room in so many tokens, wrapped; none if nothing has. */
export function fitPassage(
  passage: Passage,
  room: number,
  count: CountTokens,
): { passage: Passage; tokens: number } | undefined {
  const { length } = passage.text
  let end = Math.min(length, Math.floor(room * longestToken))
  while (end > 0) {
    const fitted = end < length ? cutPassage(passage, 0, safeEnd(passage.text, end)) : passage
    const tokens = count(wrap(fitted)) + 1
    if (tokens <= room) return fitted.text === '' ? undefined : { passage: fitted, tokens }
    end = Math.min(end - 1, Math.floor((end * room * 0.95) / tokens))
  }
  return undefined
}
