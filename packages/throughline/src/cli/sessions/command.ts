import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../config/folders.ts'
import { overviewOf, type SessionOverview } from '../../formats/stored/overview.ts'
import { configurationFor } from '../config/options.ts'
import { exitCodes } from '../exit-code.ts'
import { usage } from '../parse-arguments.ts'
import { safeJson } from '../safe-json.ts'
import { inStore } from '../store/open-store.ts'
import { jsonOption, storeOptions } from '../store/options.ts'
import { takeTurn } from '../turn.ts'
import { sessionRow } from './row.ts'
import { sessionJson } from './session-json.ts'
import { sessionLines } from './session-lines.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import type { Io } from '../io.ts'

const usualLimit = 20

export const sessionsCommand: Command = {
  name: 'sessions',
  group: 'Sessions in the store',
  summary: 'List the sessions in the store, the newest first.',
  description: [
    'Lists what is in the store: when each session was last written, how many entries it has, how many tokens its next request holds and how full the window is by that, how often it was compacted, what its human said first, and where it comes from. A – stands where only reading a long session would tell; throughline inspect does.',
  ],
  arguments: [],
  options: [
    { name: 'limit', value: 'N', help: `How many to show (default ${usualLimit}).` },
    { name: 'all', help: 'Show all of them.' },
    jsonOption,
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline sessions', does: 'See what there is.' },
    { command: 'throughline sessions --all --json', does: 'All of it, for a program.' },
  ],
  run: runSessions,
}

async function runSessions(parsed: ParsedArguments, io: Io): Promise<number> {
  const limit = limitOf(parsed)
  const configuration = await configurationFor('sessions', parsed, io)
  const { total, rows } = await inStore(configuration, io, async (store) => {
    const sessions = (await store.sessions()).sort((one, other) => other.at - one.at)
    const shown = sessions.slice(0, limit)
    const overviews = await overviewsOf(store, shown, io)
    return {
      total: sessions.length,
      rows: overviews.map((overview) => sessionRow(overview, configuration)),
    }
  })
  const { stdout, env, cwd } = io
  const text = parsed.flags.has('json')
    ? safeJson({ version: 1, total, sessions: rows.map(sessionJson) })
    : sessionLines({
        rows,
        total,
        width: stdout.columns(),
        now: Date.now(),
        shownPath: (path) => (isAbsolute(path) ? pathForReader(path, foldersOf(env), cwd) : path),
      }).join('\n')
  await stdout.write(`${text}\n`)
  return exitCodes.done
}

async function overviewsOf(
  store: Store,
  sessions: readonly StoredSession[],
  io: Io,
): Promise<SessionOverview[]> {
  const overviews: SessionOverview[] = []
  for (const session of sessions) {
    overviews.push(await overviewOf(store, session))
    await takeTurn(io)
  }
  return overviews
}

function limitOf({ values, flags }: ParsedArguments): number {
  const value = values.get('limit')
  if (flags.has('all') && value !== undefined) {
    throw usage('sessions', '--all shows all of them: leave out --limit')
  }
  if (flags.has('all')) return Infinity
  if (value === undefined) return usualLimit
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value)
  throw usage('sessions', `--limit takes a whole number from 1 on, not ${JSON.stringify(value)}`)
}
