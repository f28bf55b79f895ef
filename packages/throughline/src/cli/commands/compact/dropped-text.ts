import { counted } from '../../terminal/numbers.ts'
import type { Dropped } from '../../../compaction/plan/dropped.ts'

/** What the model no longer sees, by kind; nothing if that is nothing. `--json` has the refs. */
export function droppedText(dropped: Dropped): string | undefined {
  const kinds = [
    [dropped.humanMessages, 'human message'],
    [dropped.results, 'tool result'],
    [dropped.skills, 'skill'],
    [dropped.media, 'part with images or files', 'parts with images or files'],
    [dropped.reasoning, 'reasoning part'],
  ] as const
  const counts = kinds.flatMap(([refs, one, more]) =>
    refs.length === 0 ? [] : [counted(refs.length, one, more)],
  )
  if (counts.length === 0) return undefined
  const all = kinds.reduce((sum, [refs]) => sum + refs.length, 0)
  return `${counts.join(', ')}; the session still has ${all === 1 ? 'it' : 'them'}`
}
