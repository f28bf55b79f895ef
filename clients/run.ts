import { basename, dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { clients } from './clients.ts'
import { whyNotStarting } from './does-not-start.ts'
import { install } from './install.ts'
import { packed } from './inside/packed.ts'
import { isIsolated, isolatedTrial } from './isolated-trial.ts'
import { saidBy } from './said-by.ts'
import { runGateway, saveGatewayResults } from './gateway/run-gateway.ts'
import { runInside } from './inside/run-inside.ts'
import { saveResults, type FoundNow, type SessionResult } from './results.ts'
import { asTheyAre, handedOver, startsFor, type Start } from './sessions.ts'
import { hasTerminals } from './terminal.ts'
import type { Client } from './client.ts'
import type { TrialResult } from './resume-once.ts'

const help = `Lets real clients resume sessions that were compacted and written for them.

  --only NAME      only this client (repeat for more): ${clients.map(({ name }) => name).join(', ')}
  --session FILE   this session instead of the usual ones, unchanged and handed over (repeat for more)
  --inside         only the trials with our plugin in the client
  --printed        only the commands that \`throughline resume\` prints
  --gateway        only the long tasks, alone and behind the gateway
  --json FILE      write the results to this file; results of clients that are not run stay, with
                   the commit that they are of

Clients are installed into THROUGHLINE_CLIENTS, or ~/.cache/throughline/clients. The usual
sessions are one of the client's own, one of another harness, the same one handed over, and one
that calls every tool, handed over.
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    session: { type: 'string', multiple: true },
    inside: { type: 'boolean' },
    printed: { type: 'boolean' },
    gateway: { type: 'boolean' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})

async function main(): Promise<void> {
  if (!isIsolated) say('Not isolated: unshare cannot create a separate network here.')
  const results: FoundNow[] = []
  const save = async (found: FoundNow): Promise<void> => {
    results.push(found)
    // After each client, because all of them take half an hour.
    if (values.json !== undefined) await saveResults(values.json, [found])
  }
  for (const client of chosen()) {
    const installed = await install(client).catch((error: unknown) => new Error(saidBy(error)))
    const reason =
      installed instanceof Error
        ? `npm cannot install it (${installed.message})`
        : await whyNotStarting(client, installed)
    if (reason === undefined && !(installed instanceof Error)) {
      if (values.gateway) {
        await triedBehindGateway(client, installed)
        continue
      }
      await save(await tried(client, installed))
      continue
    }
    row(client, '', `MISSING: ${reason}`)
    await save({ ...identityOf(client), missing: reason ?? '' })
  }
  if (results.some(isNotGreen)) process.exitCode = 1
}

/** A client that is missing is not green, either: nobody knows whether it still goes on. */
function isNotGreen({ missing, sessions = [], inside = [] }: FoundNow): boolean {
  return (
    missing !== undefined || [...sessions, ...inside].some(({ problems }) => problems.length > 0)
  )
}

function chosen(): readonly Client[] {
  const { only } = values
  if (!only) return clients
  return only.map((wanted) => {
    const client = clients.find(({ name }) => name === wanted)
    if (client) return client
    throw new Error(`No client is named ${wanted}. ${help}`)
  })
}

/** The commit that is run; nobody can look up what is not committed. */
const build = commitOf(join(import.meta.dirname, '..'))

function commitOf(folder: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', 'packages', 'clients') !== ''
  return `${git('rev-parse', '--short=8', 'HEAD')}${changed ? ', changed' : ''}`
}

function identityOf({ name, package: from, version }: Client) {
  const date = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)
  return { name, package: from, version, date, build }
}

async function tried(client: Client, installed: string): Promise<FoundNow> {
  const { name } = client
  const sessions: SessionResult[] = []
  for (const start of values.inside || values.printed ? [] : await starts(client)) {
    const { path, tools } = start
    const session = join(basename(dirname(path)), basename(path))
    const result = await isolatedTrial({ name, start, installed })
    row(client, `${session}${tools === 'handed over' ? ', handed over' : ''}`, shown(result))
    sessions.push({ session, tools, problems: result.problems })
  }
  if (!values.inside && !values.session && !hasTerminals) {
    row(client, '', 'NOT RUN on a terminal: tmux is not installed')
  } else if (!values.inside && !values.session) {
    const session = '`throughline resume`, on a terminal'
    const result = await isolatedTrial({ name, installed, throughline: await ours() })
    row(client, session, shown(result))
    sessions.push({ session, tools: 'handed over', problems: result.problems })
  }
  const inside =
    values.session || values.printed
      ? undefined
      : await runInside(client, { installed, throughline: await ours() }, (scenario, result) =>
          row(client, `inside: ${scenario}`, shown(result)),
        )
  const done = { ...identityOf(client), ...(inside && { inside }) }
  return { ...done, ...(!values.inside && !values.printed && { sessions }) }
}

/** Alone it may fail: what counts is that it finishes behind the gateway. */
async function triedBehindGateway(client: Client, installed: string): Promise<void> {
  const trials = await runGateway(client, installed, (what, result) =>
    row(client, what, shown(result)),
  )
  if (trials?.some(({ behind }) => behind.problems.length > 0)) process.exitCode = 1
  if (trials && values.json !== undefined) {
    await saveGatewayResults(values.json, { ...identityOf(client), trials })
  }
}

/** Packed once for all clients. */
let packing: Promise<string> | undefined

function ours(): Promise<string> {
  return (packing ??= packed())
}

async function starts({ name }: Client): Promise<Start[]> {
  const { session: paths } = values
  return paths ? [...asTheyAre(paths), ...handedOver(paths)] : startsFor(name)
}

const mostShown = 10

function shown({ problems, printed = '' }: TrialResult): string {
  if (problems.length === 0) return 'goes on'
  const more = problems.length > mostShown ? [`and ${problems.length - mostShown} more`] : []
  return ['FAILED', ...problems.slice(0, mostShown), ...more].join('\n  ') + `\n${printed}`
}

function row({ name, version }: Client, session: string, result: string): void {
  say([name.padEnd(13), version.padEnd(11), session.padEnd(50), result].join(' '))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (values.help) process.stdout.write(help)
else await main()
