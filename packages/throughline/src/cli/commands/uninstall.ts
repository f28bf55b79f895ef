import { dirname } from 'node:path'
import { jsonOption } from '../shared-options.ts'
import { exitCodes } from '../errors.ts'
import { clientNamed, installableClients } from '../installed/clients.ts'
import { uninstall } from '../installed/install-client.ts'
import { readLedger } from '../installed/ledger.ts'
import { placeOf, type Place } from '../installed/place.ts'
import { safeJson } from '../output/target.ts'
import { usage } from '../parse-arguments.ts'
import { restOf, type Command, type ParsedArguments } from '../command.ts'
import type { InstallableClient } from '../installed/client.ts'
import type { TakenBack } from '../installed/take-back.ts'
import type { Io } from '../io.ts'

export const uninstallCommand: Command = {
  name: 'uninstall',
  description: [
    'Removes what throughline install has written: every file is then byte for byte what it was before. If you have edited a file since, your edits stay, and only Throughline’s part is removed. Sessions stay as they are, and so do pins and records of past compactions.',
  ],
  arguments: [
    {
      name: 'client',
      give: `one or more of ${installableClients.map(({ word }) => word).join(', ')}, or --all`,
      optional: true,
      rest: true,
    },
  ],
  options: [{ name: 'all', help: 'Remove it from every client.' }, jsonOption],
  examples: [
    { command: 'throughline uninstall opencode', does: 'Leave opencode as it was before.' },
    { command: 'throughline uninstall --all', does: 'Leave every client as it was before.' },
  ],
  run: runUninstall,
}

async function runUninstall(parsed: ParsedArguments, io: Io): Promise<number> {
  const place = placeOf(io.env)
  const results = chosen(parsed, place).map((client) => ({
    client,
    taken: uninstall(client, place),
  }))
  const text = parsed.flags.has('json')
    ? safeJson({
        version: 1,
        clients: results.map(({ client, taken }) => ({ client: client.name, taken: taken ?? [] })),
      })
    : results.length === 0
      ? 'Throughline is installed in no client.'
      : [
          ...results.flatMap(({ client, taken }) => linesOf(client, taken)),
          ...(results.some(({ taken }) => taken) ? keptLines(place) : []),
        ].join('\n')
  await io.stdout.write(`${text}\n`)
  return exitCodes.done
}

function linesOf({ label }: InstallableClient, taken: TakenBack[] | undefined): string[] {
  if (!taken) return [`${label}: Throughline is not installed there.`]
  return [
    `${label}: Throughline is taken away. Restart ${label} where it runs.`,
    ...taken.map(({ path, how }) => `  - ${path} (${told[how]})`),
  ]
}

/** What uninstalling leaves: the user's own history, which only the user removes. */
function keptLines({ folder }: Place): string[] {
  return [
    `Records of what Throughline did, and sessions that it stored, stay in ${dirname(folder)}.`,
  ]
}

const told: Readonly<Record<TakenBack['how'], string>> = {
  restored: 'as it was before',
  removed: 'removed',
  withdrawn: 'only what is ours: you have edited it since',
  kept: 'removed; you had edited it, and a copy is beside it, .edited',
  gone: 'it was not there any more',
}

/** @throws UsageError */
function chosen(parsed: ParsedArguments, place: Place): readonly InstallableClient[] {
  const words = restOf(parsed, 'client')
  if (parsed.flags.has('all')) {
    if (words.length > 0) throw usage('uninstall', '--all means every client: name none')
    const { clients } = readLedger(place)
    return installableClients.filter(({ name }) => Object.hasOwn(clients, name))
  }
  if (words.length > 0) return words.map((word) => clientNamed('uninstall', word))
  const names = installableClients.map(({ word }) => word).join(', ')
  throw usage('uninstall', `which client? Give one or more of ${names}, or --all`)
}
