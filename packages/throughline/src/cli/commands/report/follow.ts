import { randomBytes } from 'node:crypto'
import { countOf, fieldsOf, textOf } from '../../../json/fields.ts'
import { parseRef } from '../../../log/ref.ts'
import { annotationDraft } from '../../../report/logged.ts'
import { restOf, type ParsedArguments } from '../../command.ts'
import { configurationFor } from '../../configuration.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { countOption, usage } from '../../parse-arguments.ts'
import { fileStamp } from '../../source/file-stamp.ts'
import { readChosen } from '../../source/read-session.ts'
import { findSession } from '../../store/find-session.ts'
import { inStore } from '../../store/open-store.ts'
import { openStored } from '../../store/session-work.ts'
import { textIn } from '../pin.ts'
import { dataText, pageAsset, pageWith, type PageData } from './page.ts'
import { servePage, type ChangeName } from './page-server.ts'
import { chosenFor, reportFor, requestOf } from './report-for.ts'
import type { Ref } from '../../../log/entry.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { Io } from '../../io.ts'

/** The page in a browser, which follows the session. */
export async function runServe(parsed: ParsedArguments, io: Io): Promise<number> {
  const request = requestOf(parsed)
  const port = countOption('report', 'port', parsed, { usual: 0, most: 65_535 })
  const [word = '', ...more] = restOf(parsed, 'session')
  if (more.length > 0) throw usage('report', '--serve follows one session')
  if (word === '-') throw usage('report', 'a session that is followed needs a file: name it')
  const configuration = await configurationFor('report', parsed, io)
  const asset = await pageAsset()
  const chosen = await chosenFor(word, configuration, io)
  const stored = chosen.type === 'stored' ? chosen.session.id : undefined

  const read = async (to: Io): Promise<PageData> => {
    const session = await readChosen(chosen, configuration, to, { quiet: to !== io })
    const report = await reportFor(session, chosen, { request, configuration, io })
    return { ...report, live: { stored: stored !== undefined } }
  }
  const silent: Io = { ...io, stderr: { ...io.stderr, isTerminal: false, write: async () => {} } }
  const stampOf = async (): Promise<string> => {
    if (chosen.type !== 'stored') return fileStamp(chosen, io)
    const sessions = await inStore(configuration, silent, (store) => store.sessions())
    return `${sessions.find(({ id }) => id === stored)?.newest ?? 0}`
  }
  // It is taken first, so that no change is missed.
  let stamp = await stampOf()
  // A session that cannot be read is reported here, not in the browser.
  let shown = await read(io)
  const known = { isOld: false }
  let reading: Promise<void> | undefined
  const newest = async (): Promise<PageData> => {
    while (known.isOld || reading) await (reading ??= refresh())
    return shown
  }
  const refresh = async (): Promise<void> => {
    known.isOld = false
    try {
      shown = await read(silent)
    } catch (error) {
      // It is being written, or is gone: what was read before stays on the screen.
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
            await change(name, body, stored, configuration, silent)
            known.isOld = true
          },
  })
  try {
    await io.stdout.write(`${serving.url}\n`)
    await io.stderr.write('Open this address in a browser on this machine. Ctrl-C ends it.\n')
    while (!io.signal.aborted) {
      await paused(io.signal)
      const before = stamp
      stamp = await stampOf().catch(() => before)
      if (stamp === before || io.signal.aborted) continue
      known.isOld = true
      serving.changed()
    }
  } finally {
    await serving.close()
  }
  return exitCodes.done
}

// Often enough to follow an agent, and rare enough to cost nothing.
const pause = 1000

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

/**
 * Changes a stored session as its reader asked. Each change is an entry: nothing is overwritten.
 * @throws CommandError where the request names nothing, and errors of the session.
 */
async function change(
  name: ChangeName,
  body: unknown,
  id: string,
  configuration: Configuration,
  io: Io,
): Promise<void> {
  const fields = fieldsOf(body) ?? {}
  await inStore(configuration, io, async (store) => {
    const stored = await findSession(store, id, io)
    if (name === 'annotate') {
      const of = countOf(fields['of']) ?? 0
      const text = textOf(fields['text'])?.trim() ?? ''
      if (of < 1 || of > stored.newest || !Number.isSafeInteger(of)) {
        throw new CommandError('there is no such entry to note something on.')
      }
      if (text === '') throw new CommandError('the note is empty. Write something.')
      return void (await store.append(id, [annotationDraft(of, text, Date.now())]))
    }
    const session = await openStored(store, stored, configuration)
    if (name === 'undo') return void (await session.undo())
    if (name === 'unpin') return void (await session.unpin(countOf(fields['pin']) ?? 0))
    const ref = (textOf(fields['ref']) ?? '') as Ref
    if (!parseRef(ref)) throw new CommandError('there is no such entry to pin.')
    await session.pin(await textIn(session, ref), ref)
  })
}
