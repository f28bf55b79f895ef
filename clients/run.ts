import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'
import { cacheFolder, install } from './install.ts'
import { clients } from './clients.ts'
import { isolation } from './isolation.ts'
import { saveResults } from './results.ts'
import { sessionsFor } from './sessions.ts'
import type { Client } from './client.ts'
import type { ClientResult, SessionResult } from './results.ts'
import type { TrialResult } from './resume-once.ts'

const help = `Lets real clients go on from sessions that were compacted and written for them.

  --only NAME      this client alone (again for more)
  --session FILE   this session instead of the usual ones (again for more)
  --json FILE      keep the results there; of clients that are not run, the old ones stay

Clients are installed into THROUGHLINE_CLIENTS, or ~/.cache/throughline/clients.
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    session: { type: 'string', multiple: true },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const prefix = isolation()

async function main(): Promise<void> {
  if (values.help) return void process.stdout.write(help)
  if (prefix.length === 0) say('Not isolated: unshare gives no network of its own here.')
  const only = new Set(values.only ?? clients.map(({ name }) => name))
  const results: ClientResult[] = []
  for (const client of clients.filter(({ name }) => only.has(name))) {
    const sessions = await tried(client)
    if (sessions)
      results.push({
        name: client.name,
        package: client.package,
        version: client.version,
        sessions,
      })
  }
  if (values.json !== undefined) await saveResults(values.json, results)
  const failed = results.some(({ sessions }) =>
    sessions.some(({ problems }) => problems.length > 0),
  )
  process.exitCode = failed ? 1 : 0
}

async function tried(client: Client): Promise<SessionResult[] | undefined> {
  const row = (session: string, result: string): void =>
    say(`${client.name.padEnd(14)}${client.version.padEnd(12)}${session.padEnd(36)}${result}`)
  let installed: string
  try {
    installed = await install(client)
  } catch (error) {
    row('', `skipped: npm cannot install it (${firstLine(error)})`)
    return undefined
  }
  const results: SessionResult[] = []
  for (const path of values.session ?? (await sessionsFor(client.name))) {
    const session = basename(path)
    const { problems, printed = '' } = await trial({ name: client.name, session: path, installed })
    row(
      session,
      problems.length === 0 ? 'goes on' : `FAILED\n  ${problems.join('\n  ')}\n${printed}`,
    )
    results.push({ session, problems })
  }
  return results
}

/** One trial in a home of its own, which is gone afterwards. */
async function trial(place: {
  name: string
  session: string
  installed: string
}): Promise<TrialResult> {
  // Not below the system's temporary folder: Codex refuses a home there.
  await mkdir(cacheFolder, { recursive: true })
  const home = await mkdtemp(join(cacheFolder, 'home-'))
  try {
    const script = join(import.meta.dirname, 'trial.ts')
    const [command = '', ...args] = [
      ...prefix,
      process.execPath,
      script,
      JSON.stringify({ ...place, home }),
    ]
    const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1e8 })
    return JSON.parse(stdout) as TrialResult
  } catch (error) {
    return { problems: [`the trial itself failed: ${firstLine(error)}`], requests: 0 }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string }
  return (stderr || message || String(error)).trim().split('\n').slice(0, 3).join(' ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
