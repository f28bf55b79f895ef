import { randomBytes } from 'node:crypto'
import { configurationFor } from '../../../configuration.ts'
import { exitCodes } from '../../../errors.ts'
import { usage } from '../../../parse-arguments.ts'
import { readChosen } from '../../../source/read-session.ts'
import { restOf } from '../../../command.ts'
import { dataText, pageAsset, pageWith } from '../page.ts'
import { askedFor, chosenFor, reportFor } from '../report-for.ts'
import { change, servePage } from './serve.ts'
import { stat } from 'node:fs/promises'
import { pathFrom } from '../../../paths.ts'
import { inStore } from '../../../store/open-store.ts'
import type { ParsedArguments } from '../../../command.ts'
import type { PageData } from '../page.ts'
import type { Io } from '../../../io.ts'
import type { Configuration } from '../../../../config/load-config.ts'
import type { ChosenSession } from '../../../source/choose-session.ts'

/** The page in a browser, which follows the session. */
export async function runServe(parsed: ParsedArguments, io: Io): Promise<number> {
  const asked = askedFor('report', parsed)
  const port = portOf(parsed.values.get('port'))
  const [word = '', ...more] = restOf(parsed, 'session')
  if (more.length > 0) throw usage('report', '--serve follows one session')
  if (word === '-') throw usage('report', 'a session that is followed needs a file: name it')
  const configuration = await configurationFor('report', parsed, io)
  const asset = await pageAsset()
  const chosen = await chosenFor('report', word, configuration, io)
  const stored = chosen.type === 'stored' ? chosen.session.id : undefined

  const read = async (to: Io): Promise<PageData> => {
    const session = await readChosen(chosen, configuration, to, { quiet: to !== io })
    const told = await reportFor('report', session, chosen, { asked, configuration, io })
    return { ...told, live: { stored: stored !== undefined } }
  }
  const silent: Io = { ...io, stderr: { ...io.stderr, isTerminal: false, write: async () => {} } }
  // Before it is read, so that nothing which comes meanwhile goes unseen.
  const since = await stampOf(chosen, configuration, io)
  // A session that cannot be read is told at once, not in the browser.
  let shown = await read(io)
  const known = { isOld: false }
  let reading: Promise<void> | undefined
  const newest = async (): Promise<PageData> => {
    while (known.isOld || reading) {
      reading ??= refresh()
      await reading
    }
    return shown
  }
  const refresh = async (): Promise<void> => {
    known.isOld = false
    try {
      shown = await read(silent)
    } catch (error) {
      // It is being written, or gone: what was read before stays on the screen.
      if (io.signal.aborted) throw error
    } finally {
      reading = undefined
    }
  }

  const serving = await servePage({
    token: randomBytes(24).toString('base64url'),
    port,
    page: async () => pageWith(asset, await newest()),
    report: async () => dataText(await newest()),
    change:
      stored === undefined
        ? undefined
        : async (name, body) => {
            await change(name, body, { session: stored, configuration, io: silent })
            known.isOld = true
          },
  })
  const changed = (): void => {
    known.isOld = true
    serving.changed()
  }
  try {
    await io.stdout.write(`${serving.url}\n`)
    await io.stderr.write('Open this address in a browser on this machine. Ctrl-C ends it.\n')
    await watchSession(chosen, changed, {
      configuration,
      io: silent,
      signal: io.signal,
      since,
    })
  } finally {
    await serving.close()
  }
  return exitCodes.done
}

function portOf(value: string | undefined): number {
  if (value === undefined) return 0
  if (/^\d{1,5}$/.test(value) && Number(value) > 0 && Number(value) < 65_536) return Number(value)
  throw usage('report', `--port must be a number from 1 to 65535, not ${JSON.stringify(value)}`)
}

// Often enough to follow an agent, and rare enough to cost nothing.
const pause = 1000

/**
 * Calls back whenever a session no longer has this stamp, or the one that it had after, until the
 * signal ends it.
 */
async function watchSession(
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
async function stampOf(
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
