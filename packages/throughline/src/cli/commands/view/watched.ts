import { stat } from 'node:fs/promises'
import { pathFrom } from '../../paths.ts'
import { inStore } from '../../store/open-store.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { ChosenSession } from '../../source/choose-session.ts'
import type { Io } from '../../io.ts'

// Often enough to follow an agent, and rare enough to cost nothing.
const pause = 1000

/**
 * Calls back whenever a session no longer has this stamp, or the one that it had after, until the
 * signal ends it.
 */
export async function watchSession(
  chosen: ChosenSession,
  changed: () => void,
  {
    configuration,
    io,
    signal,
    since,
  }: { configuration: Configuration; io: Io; signal: AbortSignal; since: string },
): Promise<void> {
  let before = since
  while (!signal.aborted) {
    await paused(signal)
    const now = await stampOf(chosen, configuration, io).catch(() => before)
    if (now !== before && !signal.aborted) changed()
    before = now
  }
}

/** The file's size and time, or the newest entry of a stored session: nothing else is read. */
export async function stampOf(
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
): Promise<string> {
  if (chosen.type === 'stored') {
    const sessions = await inStore(configuration, io, (store) => store.sessions())
    return `${sessions.find(({ id }) => id === chosen.session.id)?.newest ?? 0}`
  }
  const file = chosen.type === 'file' ? pathFrom(io.cwd, chosen.path) : chosen.session.file
  // A database may keep what is new in a file beside it.
  const stamps = await Promise.all([file, `${file}-wal`].map(fileStamp))
  return stamps.join(' ')
}

async function fileStamp(path: string): Promise<string> {
  return stat(path).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => '',
  )
}

function paused(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, pause)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
