import { sanitize } from '../../log/sanitize.ts'
import { shownName } from '../store/shown-name.ts'
import { withThousands } from '../terminal/numbers.ts'
import { asText } from '../transcript/as-text.ts'
import type { Passage } from '../../session/recall/passage.ts'
import type { RecallAnswer } from '../../session/recall/answer.ts'
import type { Passage as Shown, PassageKind } from '../transcript/passages.ts'

/** What was recalled, for a reader. */
export function answerText({ passages, match }: RecallAnswer): string {
  const remark =
    match === 'any' ? 'No message has all of these words; these have some of them.\n\n' : ''
  return remark + asText(passages.map(shown))
}

/** How to go on where the answer ended; `undefined` if there is no more. */
export function moreText({ next }: RecallAnswer, session: string): string | undefined {
  if (!next) return undefined
  const { offset = 0 } = next
  const question =
    'ref' in next
      ? next.ref
      : 'path' in next
        ? `--path ${shownName(next.path)}`
        : shownName(next.words)
  return `There is more: throughline recall ${shownName(session)} ${question} --offset ${offset}`
}

function shown(passage: Passage): Shown {
  const { ref, tool, start, length } = passage
  const text = sanitize(passage.text)
  const end = start + passage.text.length
  const part =
    start > 0 || end < length
      ? `\n[characters ${withThousands(start)} to ${withThousands(end)} of ${withThousands(length)}]`
      : ''
  return { kind: kindOf(passage), ref, text: text + part, ...(tool !== undefined && { tool }) }
}

function kindOf({ what, who }: Passage): PassageKind {
  if (what === 'call' || what === 'result') return what
  return what === 'reasoning' ? 'thinking' : sayers[who]
}

const sayers = {
  human: 'user',
  harness: 'harness',
  model: 'assistant',
  tool: 'note',
  synthetic: 'note',
} as const
