import { linesOf } from './lines.ts'
import type { Effect } from '../lens.ts'

const ADD = '*** Add File: '
const UPDATE = '*** Update File: '
const DELETE = '*** Delete File: '
const MOVE = '*** Move to: '

/** Reads the headers of an `apply_patch` envelope; its content lines begin otherwise. */
export function envelopeEffects(patch: string): Effect[] {
  const effects: Effect[] = []
  let updated = ''
  for (const line of linesOf(patch)) {
    if (!line.startsWith('*** ')) continue
    if (line.startsWith(ADD)) effects.push({ type: 'create', path: line.slice(ADD.length).trim() })
    else if (line.startsWith(DELETE)) {
      effects.push({ type: 'delete', path: line.slice(DELETE.length).trim() })
    } else if (line.startsWith(UPDATE)) {
      updated = line.slice(UPDATE.length).trim()
      effects.push({ type: 'edit', path: updated })
    } else if (line.startsWith(MOVE) && updated !== '') {
      effects.push({ type: 'rename', path: updated, to: line.slice(MOVE.length).trim() })
      updated = ''
    }
  }
  return effects
}
