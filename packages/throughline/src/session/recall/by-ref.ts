import { chronological } from '../../log/order.ts'
import { readRef } from '../../log/ref.ts'
import { readEntryOf } from './read-ref.ts'
import { answerOf, roomFor, type RecallAnswer } from './answer.ts'
import { RecallQuestionError } from './errors.ts'
import { fitPassage } from './fit.ts'
import { cutPassage, passagesOf, type Passage } from './passage.ts'
import type { Asked } from './asked.ts'

/**
 * What a ref names, as it was first said: all of it, or as much as has room from `offset` on.
 * The parts of a message are counted through.
 * @throws RefNotFoundError, RecallQuestionError
 */
export async function byRef(asked: Asked, ref: string, offset: number): Promise<RecallAnswer> {
  const whole = await passagesNamed(asked, ref)
  const length = whole.reduce((sum, passage) => sum + passage.length, 0)
  if (offset > 0 && offset >= length) {
    const detail = `Ref ${ref} holds ${length} characters, so nothing stands at offset ${offset}. Give a smaller offset, or none.`
    throw new RecallQuestionError({ problem: 'end', detail })
  }
  const { count, tokens } = asked
  const passages: Passage[] = []
  let room = roomFor(tokens, '', count)
  let at = 0
  for (const passage of whole) {
    const begin = at
    const start = Math.max(offset - begin, 0)
    at += passage.length
    if (start >= passage.length) continue
    const rest = cutPassage(passage, wholeFrom(passage.text, start))
    const fitted = fitPassage(rest, room, count)
    if (!fitted) return answerOf({ passages, next: { ref, offset: begin + start } })
    passages.push(fitted.passage)
    room -= fitted.tokens
    const end = fitted.passage.start + fitted.passage.text.length
    if (end < passage.length) return answerOf({ passages, next: { ref, offset: begin + end } })
  }
  return answerOf({ passages, ...(length === 0 && { remark: `[Ref ${ref} holds no text.]` }) })
}

/** Whoever names an offset of their own may hit the middle of a character. */
function wholeFrom(text: string, start: number): number {
  return (text.codePointAt(start - 1) ?? 0) > 0xffff ? start - 1 : start
}

async function passagesNamed({ store, session }: Asked, ref: string): Promise<Passage[]> {
  const entry = await readEntryOf(store, session, ref)
  const named = readRef(chronological([entry]), ref)
  const passages = passagesOf(entry)
  return 'role' in named ? passages : passages.filter((passage) => passage.ref === ref)
}
