import { shownName } from '../../store/shown-name.ts'
import { foundName } from '../../source/session-found.ts'
import type { ReportModel } from '../../../report/model.ts'
import type { ChosenSession } from '../../source/choose-session.ts'

/** A command that goes on from a report, and what it does. */
export interface ToDo {
  command: string
  does: string
}

/** How to take a compaction back, to go on with the session, and to see more of it. */
export function whatToDo({ compactions, pins }: ReportModel, chosen: ChosenSession): ToDo[] {
  if (chosen.type === 'file' && chosen.path === '-') return []
  const name = shownName(nameOf(chosen))
  const inForce = compactions.some(({ state }) => state === 'in force')
  const undo = {
    command: `throughline undo ${name}`,
    does: 'Take the newest compaction back. Everything said since then stays.',
  }
  const resume = {
    command: `throughline resume ${name}`,
    does: 'Go on with this session, compacted, in its own client. Another one: --in CLIENT.',
  }
  if (chosen.type !== 'stored') {
    return [
      resume,
      {
        command: `throughline import ${name}`,
        does: inForce
          ? 'Put it in the store: there the client’s compaction can be undone, and texts pinned.'
          : 'Put it in the store: there it is searchable, and texts can be pinned.',
      },
      { command: `throughline compact ${name}`, does: 'Print it as a context that fits.' },
    ]
  }
  return [
    resume,
    ...(inForce ? [undo] : []),
    {
      command: `throughline pin ${name} --ref REF`,
      does: `Keep a message through every compaction, word for word${pins.length > 0 ? ` (${pins.length} pinned now)` : ''}.`,
    },
    {
      command: `throughline recall ${name} WORDS`,
      does: 'Find what was said, read or printed, and read it back.',
    },
  ]
}

function nameOf(chosen: ChosenSession): string {
  if (chosen.type === 'stored') return chosen.session.id
  return chosen.type === 'file' ? chosen.path : foundName(chosen.session)
}
