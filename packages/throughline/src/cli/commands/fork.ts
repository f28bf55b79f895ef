import { forkStored } from '../../formats/stored/import-session.ts'
import { seqIn } from '../store/seqs.ts'
import { jsonOption, storedSessionArgument, storeOptions } from '../shared-options.ts'
import { onStored, type Found } from '../store/session-work.ts'
import { checkedName, shownName } from '../store/session-name.ts'
import { whileWriting } from '../terminal/status-line.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { Seq } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'
import type { Io } from '../io.ts'
import type { Result } from '../store/result.ts'

export const forkCommand: Command = {
  name: 'fork',
  description: [
    'The copy is independent: changes to one session don’t affect the other, so a secret must be redacted in both. Refs are the same in both.',
  ],
  arguments: [storedSessionArgument],
  options: {
    '--at SEQ': 'The last entry to copy. Default: the newest.',
    '--as NAME': 'The name of the copy. Default: fork-of- and the session’s name.',
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline fork made --at 10 --as another-try':
      'Start again from entry 10, under a name of your own.',
  },
  run: runFork,
}

async function runFork(parsed: ParsedArguments, io: Io): Promise<number> {
  const at = parsed.values.get('at')
  const upTo = at === undefined ? undefined : seqIn('fork', '--at', at)
  const asked = parsed.values.get('as')
  const as = asked === undefined ? undefined : checkedName('fork', asked)
  return onStored('fork', parsed, io, (found) => fork(found, upTo, as, io))
}

async function fork(
  { store, stored }: Found,
  upTo: Seq | undefined,
  asked: string | undefined,
  io: Io,
): Promise<Result> {
  const as = asked ?? (await freeName(store, stored.id))
  const last = await whileWriting(io, 'copying the session', () =>
    forkStored(store, stored.id, as, upTo === undefined ? {} : { upTo }),
  )
  const [from, name] = [shownName(stored.id), shownName(as)]
  const all = last === stored.newest ? 'all' : 'entries 1 to'
  return {
    json: { session: as, from: stored.id, at: last },
    lines: [
      `Forked ${from} as ${name}: ${all} ${last}${all === 'all' ? ' entries' : ''}.`,
      `To delete it: throughline delete ${name}`,
    ],
  }
}

/**
 * The name begins with another word, so that a beginning of the session's name still identifies the
 * session.
 */
async function freeName(store: Store, id: string): Promise<string> {
  const taken = new Set((await store.sessions()).map((session) => session.id))
  if (!taken.has(`fork-of-${id}`)) return `fork-of-${id}`
  for (let number = 2; ; number++) {
    if (!taken.has(`fork-${number}-of-${id}`)) return `fork-${number}-of-${id}`
  }
}
