import { jsonOption, storedSessionArgument, storeOptions } from '../shared-options.ts'
import { seqIn } from '../store/seqs.ts'
import { onSession } from '../store/session-work.ts'
import { shownName } from '../store/session-name.ts'
import { clipColumns } from '../terminal/columns.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { argument, type Command } from '../command.ts'
import type { Seq } from '../../log/entry.ts'
import type { Session } from '../../session/session.ts'
import type { Result } from '../store/result.ts'

export const unpinCommand: Command = {
  name: 'unpin',
  description: [
    'From the next compaction on, the text is no longer kept. The summary lists it as taken back, so that the model knows that it no longer applies.',
  ],
  arguments: [
    storedSessionArgument,
    { name: 'pin', give: 'its number, as printed by throughline pin and by show --log' },
  ],
  options: [jsonOption, ...storeOptions],
  examples: [{ command: 'throughline unpin made 170', does: 'Remove the pin that is entry 170.' }],
  run: (parsed, io) => {
    const seq = seqIn('unpin', '<pin>', argument(parsed, 'pin'))
    return onSession('unpin', parsed, io, (session) => unpin(session, seq))
  },
}

async function unpin(session: Session, seq: Seq): Promise<Result> {
  const text = session.context().pins.get(seq)?.text ?? ''
  await session.unpin(seq)
  const name = shownName(session.id)
  return {
    json: { session: session.id, unpinned: seq, text },
    lines: [
      `Removed pin ${seq} of ${name}: ${clipColumns(sanitizeLine(text.slice(0, 400)), 200)}`,
      `To pin it again: throughline pin ${name} TEXT`,
    ],
  }
}
