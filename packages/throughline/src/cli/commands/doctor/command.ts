import { readFileSync } from 'node:fs'
import { readClientRecords } from '../../../clients/record.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { exitCodes } from '../../errors.ts'
import { installableClients } from '../../installed/clients.ts'
import { problemsOf } from '../../installed/install-client.ts'
import { readLedger, type Installed } from '../../installed/ledger.ts'
import { placeOf, type Place } from '../../installed/place.ts'
import { loadedBy, rivalsIn } from '../../installed/rivals.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { jsonOption } from '../../shared-options.ts'
import { withThousands } from '../../terminal/numbers.ts'
import { startedPaths } from './paths.ts'
import { tryPaths, type Tried } from './try-paths.ts'
import type { Command, ParsedArguments } from '../../command.ts'
import type { InstallableClient } from '../../installed/client.ts'
import type { Io } from '../../io.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openClientStore } from '../../../clients/client-store.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  description: [
    'Sends a real request through each part of Throughline that clients start, with the exact command lines in their settings: it starts the MCP server and lists its tools, and runs the hook on a small session. It also looks for files that are missing, for other programs of the same kind, and for errors that plugins have recorded. Nothing is changed.',
    'opencode, pi and OpenClaw load a plugin into their own process. This command loads the plugin in a separate process and lets it compact a session there. Whether OpenClaw calls it, a real turn shows: `--turn` sends one. The newest line of the plugin’s record says whether it works in the client.',
  ],
  arguments: [],
  options: {
    '--turn': 'Also send one short turn through OpenClaw, which your model answers.',
    ...jsonOption,
  },
  examples: {
    'throughline doctor': 'See whether everything that is installed works.',
    'throughline doctor --turn': 'Send a turn through OpenClaw, too.',
  },
  run: runDoctor,
}

interface Diagnosis {
  client: string
  label: string
  tried: readonly Tried[]
  problems: readonly string[]
  /** What the user does once before anything runs. */
  first: string
  /** What a plugin inside the client said last. */
  last: string | null
}

async function runDoctor({ flags }: ParsedArguments, io: Io): Promise<number> {
  const place = placeOf(io.env)
  const { clients } = readLedger(place)
  const all: Diagnosis[] = []
  for (const client of installableClients) {
    const installed = clients[client.name]
    if (installed) all.push(await diagnosed(client, installed, place, flags.has('turn')))
  }
  const none = 'Throughline is installed in no client. To install it: throughline install <client>'
  const answer = {
    json: () => ({ version: 1, clients: all }),
    lines: () => (all.length === 0 ? [none] : all.flatMap(linesOf)),
  }
  await printAnswer(answer, { flags }, io)
  return all.some(isIll) ? exitCodes.failed : exitCodes.done
}

async function diagnosed(
  client: InstallableClient,
  installed: Installed,
  place: Place,
  sends: boolean,
): Promise<Diagnosis> {
  const { name, label, first = 'Start the client once.' } = client
  const problems = problemsOf(installed, place)
  const read = (file: string): string => readFileSync(file, 'utf8')
  const tried =
    problems.length > 0 ? [] : await tryPaths(startedPaths(installed, read, name), place.env)
  const turn = sends && problems.length === 0 ? await sendTurn(client, place) : undefined
  const { files, folders } = loadedBy(name, place)
  const rivals = rivalsIn(files, folders).map((rival) => `${rival.name} is loaded there, too`)
  const last = readClientRecords(name, place.env).at(-1)
  return {
    client: name,
    label,
    tried: [...tried, ...(turn ? [turn] : [])],
    problems: [...problems, ...rivals],
    first,
    last: last ? [last.event, last.reason].filter((each) => each !== undefined).join(': ') : null,
  }
}

function isIll({ tried, problems }: Diagnosis): boolean {
  return problems.length > 0 || tried.some(({ problem }) => problem !== undefined)
}

const pathNames: Readonly<Record<Tried['path'], string>> = {
  recall: 'the MCP server',
  hook: 'the hook',
  plugin: 'the plugin',
  turn: 'a real turn',
}

function linesOf({ label, tried, problems, first, last }: Diagnosis): string[] {
  const lines = [
    ...tried.map(({ path, ms, problem }) =>
      problem === undefined
        ? `${pathNames[path]} answers, in ${withThousands(ms)} ms`
        : `${pathNames[path]} does not work: ${problem}`,
    ),
    ...problems,
    last === null ? `nothing of it has run there yet. ${first}` : `its newest record: ${last}`,
  ]
  return [`${label}:`, ...lines.map((line) => `  ${sanitizeLine(line)}`)]
}

type Sent = Pick<InstallableClient, 'name' | 'program' | 'turn'>

/**
 * Sends one turn through the client, which the user's own model answers: only that shows whether the
 * client calls what it has loaded.
 */
export async function sendTurn(
  client: Sent,
  place: Pick<Place, 'env' | 'platform'>,
  patience = 300_000,
): Promise<Tried | undefined> {
  if (!client.turn) return undefined
  const at = Date.now()
  const problem = await problemOf(client, place, patience).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  return { path: 'turn', ms: Date.now() - at, ...(problem !== undefined && { problem }) }
}

async function problemOf(
  { name, program, turn = [] }: Sent,
  { env, platform }: Pick<Place, 'env' | 'platform'>,
  timeout: number,
): Promise<string | undefined> {
  const began = Date.now()
  // On Windows it is a script of the shell; no word of it is anybody's.
  const options = { env, timeout, shell: platform === 'win32', maxBuffer: 64 * 1024 * 1024 }
  await promisify(execFile)(program, turn, options)
  const records = readClientRecords(name, env).filter(({ at }) => at >= began)
  const failed = records.find(({ event }) => event === 'error')
  if (failed) return failed.reason ?? 'the plugin failed'
  const { store, lost } = openClientStore(name, env)
  if (lost !== undefined) return lost
  const [newest] = await store.sessions()
  return newest && newest.at >= began
    ? undefined
    : 'the client has answered, and did not tell the plugin of it'
}
