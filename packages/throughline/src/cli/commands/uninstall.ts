import { dirname } from 'node:path'
import { jsonOption } from '../shared-options.ts'
import { uninstall } from '../installed/install-client.ts'
import { readLedger } from '../installed/ledger.ts'
import { placeOf, type Place } from '../installed/place.ts'
import { printAnswer } from '../output/print-answer.ts'
import { chosenClients, clientArgument } from './install.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { InstallableClient } from '../installed/client.ts'
import type { TakenBack } from '../installed/take-back.ts'
import type { Io } from '../io.ts'

export const uninstallCommand: Command = {
  name: 'uninstall',
  description: [
    'Removes what throughline install has written: every file is then byte for byte what it was before. If you have edited a file since, your edits stay, and only Throughline’s part is removed. Sessions stay as they are, and so do pins and records of past compactions.',
  ],
  arguments: [clientArgument],
  options: { '--all': 'Remove it from every client.', ...jsonOption },
  examples: {
    'throughline uninstall opencode': 'Leave opencode as it was before.',
    'throughline uninstall --all': 'Leave every client as it was before.',
  },
  run: runUninstall,
}

async function runUninstall(parsed: ParsedArguments, io: Io): Promise<number> {
  const place = placeOf(io.env)
  const { clients } = readLedger(place)
  const isInstalled = ({ name }: InstallableClient): boolean => Object.hasOwn(clients, name)
  const results = chosenClients('uninstall', parsed, isInstalled).map((client) => ({
    client,
    taken: uninstall(client, place),
  }))
  const answer = {
    json: () => ({
      version: 1,
      clients: results.map(({ client, taken }) => ({ client: client.name, taken: taken ?? [] })),
    }),
    lines: () => linesFor(results, place),
  }
  return printAnswer(answer, parsed, io)
}

/** What was done with a client; `undefined` if it was not installed there. */
interface Uninstalled {
  client: InstallableClient
  taken: TakenBack[] | undefined
}

function linesFor(results: readonly Uninstalled[], { folder }: Place): string[] {
  if (results.length === 0) return ['Throughline is installed in no client.']
  // The user's own history: only the user removes it.
  const kept = `Records of what Throughline did, and sessions that it stored, stay in ${dirname(folder)}.`
  return [...results.flatMap(linesOf), ...(results.some(({ taken }) => taken) ? [kept] : [])]
}

function linesOf({ client: { label }, taken }: Uninstalled): string[] {
  if (!taken) return [`${label}: Throughline is not installed there.`]
  return [
    `${label}: Throughline is taken away. Restart ${label} where it runs.`,
    ...taken.map(({ path, how }) => `  - ${path} (${howTexts[how]})`),
  ]
}

const howTexts: Readonly<Record<TakenBack['how'], string>> = {
  restored: 'as it was before',
  removed: 'removed',
  withdrawn: 'only what is ours: you have edited it since',
  kept: 'removed; you had edited it, and a copy is next to it, .edited',
  gone: 'it was not there any more',
}
