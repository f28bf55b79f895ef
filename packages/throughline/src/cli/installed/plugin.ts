import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { FileChange } from './change.ts'
import type { Planned, Wanted } from './client.ts'
import type { Place } from './place.ts'

/** A client that loads one file of ours. */
export function plugin(
  place: Place,
  wanted: Wanted,
  { client, at }: { client: string; at: string },
): Planned {
  const content = builtFile(place, `${client}.js`)
  return { changes: [{ type: 'file', path: at, content }, ...settingsFile(place, client, wanted)] }
}

/**
 * A file that the build makes for clients.
 * @throws CommandError if it is not there.
 */
export function builtFile(place: Place, name: string): string {
  const file = join(place.package, 'dist', 'clients', name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new CommandError(
    `this installation is incomplete: ${file} is missing. Install it again, or run "npm run build" in its repository.`,
  )
}

/** What the user wants of it; without a file, everything is as usual. */
export function settingsFile(place: Place, client: string, { local }: Wanted): FileChange[] {
  if (!local) return []
  const path = place.path.join(place.folder, `${client}.settings.json`)
  return [{ type: 'file', path, content: `${JSON.stringify({ local: true })}\n` }]
}
