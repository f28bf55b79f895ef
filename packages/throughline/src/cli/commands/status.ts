import { jsonOption } from '../../shared-options.ts'
import { exitCodes } from '../../errors.ts'
import { readClientRecords } from '../../../clients/record.ts'
import { clientSettings, type ClientSettings } from '../../../clients/settings.ts'
import { installableClients } from '../../installed/clients.ts'
import { problemsOf } from '../../installed/install-client.ts'
import { readLedger } from '../../installed/ledger.ts'
import { placeOf, type Place } from '../../installed/place.ts'
import { loadedBy, rivalsIn } from '../../installed/rivals.ts'
import { safeJson } from '../../output/target.ts'
import { didOf, statusLines } from './status-lines.ts'
import type { Command, ParsedArguments } from '../../command.ts'
import type { InstallableClient } from '../../installed/client.ts'
import type { Io } from '../../io.ts'
import type { Ledger } from '../../installed/ledger.ts'
import type { ClientStatus } from './status-lines.ts'

export const statusCommand: Command = {
  name: 'status',
  description: [
    'Shows in which clients Throughline is installed, its version, and what it did there: sessions, compactions, their tokens before and after, how long the client waited, and who wrote the summaries: the client’s own model, code (local), or the client itself. It also says why it stepped aside, if it did.',
  ],
  arguments: [],
  options: [jsonOption],
  examples: [
    { command: 'throughline status', does: 'See where it is installed and what it did last.' },
  ],
  run: runStatus,
}

async function runStatus({ flags }: ParsedArguments, io: Io): Promise<number> {
  const place = placeOf(io.env)
  const ledger = readLedger(place)
  const all = installableClients.map((client) => statusOf(client, ledger, place))
  const text = flags.has('json')
    ? safeJson({ version: 1, clients: all })
    : statusLines(all, { now: Date.now(), width: io.stdout.columns() }).join('\n')
  await io.stdout.write(`${text}\n`)
  return exitCodes.done
}

function statusOf(
  { name, label, word }: InstallableClient,
  ledger: Ledger,
  place: Place,
): ClientStatus {
  const installed = ledger.clients[name]
  const { files, folders } = loadedBy(name, place)
  return {
    client: name,
    label,
    word,
    installed: installed ? { version: installed.version, at: installed.at } : null,
    ...switchesOf(clientSettings(name, place.env)),
    problems: installed ? problemsOf(installed, place) : [],
    beside: rivalsIn(files, folders).map((rival) => rival.name),
    did: didOf(readClientRecords(name, place.env)),
  }
}

function switchesOf({ off, local }: ClientSettings): Pick<ClientStatus, 'off' | 'summary'> {
  return { off, summary: local ? 'local' : 'client-model' }
}
