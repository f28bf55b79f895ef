import { withThousands } from '../terminal/numbers.ts'
import { jsonOption, storedSessionArgument, storeOptions } from '../shared-options.ts'
import { onSession } from '../store/session-work.ts'
import { shownName } from '../store/session-name.ts'
import type { Command } from '../command.ts'
import type { Session } from '../../session/session.ts'
import type { Result } from '../store/result.ts'

export const undoCommand: Command = {
  name: 'undo',
  description: [
    'Restores the context to what it was before the newest compaction. Everything said since then stays. Run it again to undo the compaction before that one.',
  ],
  arguments: [storedSessionArgument],
  options: { ...jsonOption, ...storeOptions },
  examples: { 'throughline undo made': 'Undo the newest compaction.' },
  run: (parsed, io) => onSession('undo', parsed, io, undo),
}

async function undo(session: Session): Promise<Result> {
  const before = session.measure().tokens
  const compaction = await session.undo()
  const after = session.measure().tokens
  const name = shownName(session.id)
  const done = compaction.kind === 'prune' ? 'pruning' : 'compaction'
  const { usable } = session.budget()
  return {
    json: { session: session.id, undone: compaction.seq, tokens: { before, after } },
    lines: [
      `Undid the ${done} at entry ${compaction.seq} of ${name}: its context now holds ${withThousands(after)} tokens instead of ${withThousands(before)}. Nothing that was said is lost.`,
      after > usable
        ? `That is more than its window takes, which is ${withThousands(usable)} tokens: a client would refuse it.`
        : undefined,
      `To compact it again: throughline compact ${name}`,
    ],
  }
}
