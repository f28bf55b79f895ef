import { CommandError } from '../errors.ts'
import { packageVersion } from '../version.ts'
import { readLedger, writeLedger, type Installed, type Step } from './ledger.ts'
import {
  hashOf,
  holdsEntries,
  keepBackups,
  makeChange,
  prepareChanges,
  type Prepared,
} from './make-changes.ts'
import { loadedBy, rivalsIn } from './rivals.ts'
import { runtimesFolder } from './plugin.ts'
import { clearLeftover, removeEmpty, takeBack, type TakenBack } from './take-back.ts'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { InstallableClient, Planned, Wanted } from './client.ts'
import type { Place } from './place.ts'

/** What an installation would do, or has done. */
export interface Installation {
  client: InstallableClient
  prepared: readonly Prepared[]
  planned: Planned
  /** What the last installation wrote and this one does not need. */
  obsolete: readonly Step[]
}

/**
 * What installing a client would write.
 * @throws CommandError if a rival is there, or something cannot be changed.
 */
export function planInstallation(
  client: InstallableClient,
  wanted: Wanted,
  place: Place,
): Installation {
  checkRivals(client, place)
  const planned = client.plan(place, wanted)
  const { [client.name]: own, ...others } = readLedger(place).clients
  const before = own?.steps ?? []
  // What several clients start from is ours, whichever of them came first.
  const shared = Object.values(others).flatMap(({ steps }) => steps)
  const prepared = prepareChanges(planned.changes, [...before, ...shared], place)
  const paths = new Set(planned.changes.map(({ path }) => path))
  return { client, prepared, planned, obsolete: before.filter(({ path }) => !paths.has(path)) }
}

function checkRivals({ name, label }: InstallableClient, place: Place): void {
  const { files, folders } = loadedBy(name, place)
  const [rival] = rivalsIn(files, folders)
  if (!rival) return
  throw new CommandError(
    `${label} already loads ${rival.name} (${rival.file}), which changes the same requests: two of them undo each other’s work. Nothing was installed. Remove it there first.`,
  )
}

/** Writes the ledger first, so that whatever happens, `uninstall` knows what to take away. */
export function install(
  { client, prepared, planned, obsolete }: Installation,
  { local }: Wanted,
  place: Place,
  now: number,
): void {
  const ledger = readLedger(place)
  const { [client.name]: _, ...others } = ledger.clients
  for (const step of notShared(obsolete, others)) takeBack(step)
  keepBackups(prepared)
  const { leftovers = [] } = planned
  const steps = prepared.map(({ step }) => step)
  const installed: Installed = { version: packageVersion, at: now, local, steps, leftovers }
  writeLedger(place, { ...ledger, clients: { ...ledger.clients, [client.name]: installed } })
  for (const each of prepared) makeChange(each)
}

/** Takes away what was installed in a client; `undefined` if nothing was. */
export function uninstall(client: InstallableClient, place: Place): TakenBack[] | undefined {
  const ledger = readLedger(place)
  const { [client.name]: installed, ...clients } = ledger.clients
  if (!installed) return undefined
  const own = notShared(installed.steps, clients)
  const taken = own.toReversed().map(takeBack)
  for (const leftover of installed.leftovers) clearLeftover(leftover)
  for (const { backup } of own) if (backup !== undefined) rmSync(backup, { force: true })
  writeLedger(place, { ...ledger, clients })
  if (Object.keys(clients).length === 0) removeOwnFolder(place, ledger.folders)
  return taken
}

/** What no other client starts from. */
function notShared(steps: readonly Step[], others: Readonly<Record<string, Installed>>): Step[] {
  const paths = new Set(
    Object.values(others).flatMap((other) => other.steps.map(({ path }) => path)),
  )
  return steps.filter(({ path }) => !paths.has(path))
}

/** What clients have written about themselves stays while there is any. */
function removeOwnFolder(place: Place, made: readonly string[]): void {
  const { folder, path } = place
  rmSync(path.join(folder, 'installed.json'), { force: true })
  // What is in it was taken away with the client that needed it last.
  rmSync(runtimesFolder(place), { recursive: true, force: true })
  removeEmpty([path.join(folder, 'backups'), ...made])
}

/** What is wrong with an installation now, a sentence each. */
export function problemsOf(installed: Installed, place: Place): string[] {
  const missing = installed.steps.filter(({ path }) => !existsSync(path)).map(({ path }) => path)
  const changed = installed.steps.filter(isChanged).map(({ path }) => path)
  return [
    ...missing.map((path) => `${path} is missing`),
    ...changed.map((path) => `${path} is not what was installed`),
    ...installed.steps.filter(isWithout).map(({ path }) => `${path} has lost what was installed`),
    ...(installed.version === packageVersion
      ? []
      : [`it is of version ${installed.version}, and this is ${packageVersion}`]),
    ...(existsSync(place.node) ? [] : [`${place.node} is missing`]),
  ]
}

/** Whether a whole file of ours says something else now; settings are there to be changed. */
function isChanged({ path, what, hash }: Step): boolean {
  if (what.type !== 'file' || path.endsWith('.settings.json') || !existsSync(path)) return false
  return hashOf(readFileSync(path)) !== hash
}

/** Clients and users write the settings anew, and may leave out what is ours. */
function isWithout({ path, what }: Step): boolean {
  if (what.type !== 'entries' || !existsSync(path)) return false
  try {
    return !holdsEntries(readFileSync(path, 'utf8'), what.entries)
  } catch {
    // The client cannot read it either.
    return true
  }
}
