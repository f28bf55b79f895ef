import { throughline } from '../../formats/throughline/format.ts'
import { counted } from '../terminal/numbers.ts'
import type { SessionInput } from '../input/read-input.ts'

/** What an exported session has lost on its way; `undefined` if nothing. */
export function lostText({
  format,
  facts,
}: Pick<SessionInput, 'format' | 'facts'>): string | undefined {
  if (format !== throughline.name) return undefined
  const { damaged = 0, missing = 0 } = facts.omitted ?? {}
  const parts = [
    ...(damaged > 0 ? [`${counted(damaged, 'entry', 'entries')} damaged`] : []),
    ...(missing > 0 ? [`${counted(missing, 'entry', 'entries')} missing`] : []),
  ]
  if (parts.length === 0) return undefined
  return `The export is not whole: ${parts.join(', ')}. A note keeps the place of each that others follow.`
}
