import { existsSync } from 'node:fs'
import { jsonOption } from '../shared-options.ts'
import { exitCodes, explainError } from '../errors.ts'
import { clientNamed, installableClients } from '../installed/clients.ts'
import { install, planInstallation, type Installation } from '../installed/install-client.ts'
import { placeOf } from '../installed/place.ts'
import { safeJson } from '../output/target.ts'
import { usage } from '../parse-arguments.ts'
import { counted } from '../terminal/numbers.ts'
import { restOf, type ArgumentSpec, type Command, type ParsedArguments } from '../command.ts'
import type { InstallableClient } from '../installed/client.ts'
import type { Io } from '../io.ts'
import type { Change } from '../installed/change.ts'
import type { Prepared } from '../installed/make-changes.ts'

const clientWords = installableClients.map(({ word }) => word).join(', ')

export const clientArgument: ArgumentSpec = {
  name: 'client',
  give: `one or more of ${clientWords}, or --all`,
  optional: true,
  rest: true,
}

export const installCommand: Command = {
  name: 'install',
  description: [
    'Installs Throughline in clients: opencode, pi, Claude Code, Codex, Qwen Code, Gemini CLI, Copilot CLI, OpenClaw. From then on, Throughline compacts their sessions while they run, and their agents can recall what was cut. No API key is needed, because the client’s own model writes the summaries, with the user’s own login.',
    'The clients’ settings keep their comments and their order, and a backup is made. Run the command again to update what is installed; if it is up to date, nothing changes. throughline uninstall restores every byte. A client that already has a similar program is left alone.',
  ],
  arguments: [clientArgument],
  options: {
    '--all': 'Install it in every client that has been used on this machine.',
    '--dry-run': 'Show each file and line, and write nothing.',
    '--local': 'Let code write all summaries; the client’s model is never asked for one.',
    ...jsonOption,
  },
  examples: {
    'throughline install opencode --dry-run': 'See what would be written.',
    'throughline install opencode': 'Install it, or bring it up to date.',
    'throughline install --all': 'Install it in every client that is used here.',
  },
  run: runInstall,
}

async function runInstall(parsed: ParsedArguments, io: Io): Promise<number> {
  const { flags } = parsed
  const place = placeOf(io.env)
  const wanted = { local: flags.has('local') }
  const dryRun = flags.has('dry-run')
  const done: unknown[] = []
  let failed = false
  const isUsed = (client: InstallableClient): boolean => existsSync(client.settings(place))
  const clients = chosenClients('install', parsed, isUsed)
  if (clients.length === 0) {
    await io.stderr.write(
      `throughline: none of ${clientWords} has been used here: name the one to install it in.\n`,
    )
  }
  for (const client of clients) {
    try {
      const installation = planInstallation(client, wanted, place)
      if (!dryRun) install(installation, wanted, place, Date.now())
      if (flags.has('json')) done.push(installedJson(installation))
      else await io.stdout.write(`${installedLines(installation, dryRun).join('\n')}\n`)
    } catch (error) {
      // The others can still be installed.
      await explainError(error, io)
      failed = true
    }
  }
  if (flags.has('json'))
    await io.stdout.write(`${safeJson({ version: 1, dryRun, clients: done })}\n`)
  return failed ? exitCodes.failed : exitCodes.done
}

/**
 * The clients that the arguments name; with `--all`, those that are meant by it.
 * @throws UsageError
 */
export function chosenClients(
  command: string,
  parsed: ParsedArguments,
  isMeantByAll: (client: InstallableClient) => boolean,
): readonly InstallableClient[] {
  const words = restOf(parsed, 'client')
  if (words.length === 0 && !parsed.flags.has('all')) {
    throw usage(command, `which client? Give ${clientArgument.give}`)
  }
  if (!parsed.flags.has('all')) return words.map((word) => clientNamed(command, word))
  if (words.length > 0) throw usage(command, '--all means every client: name none')
  return installableClients.filter(isMeantByAll)
}

/** What was done, or would be, for a reader. */
function installedLines(installation: Installation, dryRun: boolean): string[] {
  const { client, prepared, planned, obsolete } = installation
  const { label } = client
  const changes = prepared.some(({ writes }) => writes) || obsolete.length > 0
  const first = dryRun
    ? `${label}: this would be written; nothing was.`
    : changes
      ? `${label}: installed. It gets ${client.gives}.`
      : `${label}: it is installed already, and up to date.`
  return [
    first,
    ...prepared.flatMap((each) => changeLines(each, dryRun)),
    ...obsolete.map(({ path }) => `  - ${path}`),
    ...(planned.notes ?? []).map((note) => `  ${note}`),
    ...(changes && !dryRun
      ? [`  Restart ${label} where it runs. To take it away: throughline uninstall ${client.word}`]
      : []),
  ]
}

function changeLines({ change, writes, step }: Prepared, dryRun: boolean): string[] {
  if (!writes) return dryRun ? [`  = ${change.path} (as it is)`] : []
  const backup = step.backup === undefined ? '' : ` (as it was: ${step.backup})`
  return [`  + ${change.path}${backup}`, ...(dryRun ? contentLines(change) : [])]
}

const mostShown = 12
// What is longer was written by a bundler, and is not for reading.
const longestShown = 400

function contentLines(change: Change): string[] {
  if (change.type === 'folder') return [`      a copy of ${change.from}`]
  const lines = change.type === 'file' ? fileLines(change.content) : entryLines(change)
  return lines.map((line) => `      ${line}`)
}

function fileLines(content: string): string[] {
  const lines = content.trimEnd().split('\n')
  const isReadable = lines.length <= mostShown && lines.every((line) => line.length <= longestShown)
  return isReadable ? lines : [`${counted(lines.length, 'line')} of ours`]
}

function entryLines({ entries }: Change & { type: 'entries' }): string[] {
  if (entries.syntax === 'toml')
    return [...(entries.blocks.top ?? []), ...(entries.blocks.end ?? [])]
  return entries.entries.map(({ at, value, mark }) => {
    const place = at.map((key) => JSON.stringify(key)).join('.')
    return `${place}${mark === undefined ? '' : '[]'}: ${JSON.stringify(value)}`
  })
}

/** The same for a program. */
function installedJson({ client, prepared, planned }: Installation) {
  return {
    client: client.name,
    changes: prepared.map(({ change, writes, step }) => ({
      path: change.path,
      type: change.type,
      writes,
      backup: step.backup ?? null,
    })),
    notes: planned.notes ?? [],
  }
}
