import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../errors.ts'
import { packageVersion } from '../version.ts'
import { compileCache, type Change, type FileChange } from './change.ts'
import type { Planned, Wanted, InstallableClient } from './client.ts'
import type { Place } from './place.ts'

/** It loads every file of its plugin folder; no setting has to name it. */
export const opencode: InstallableClient = {
  name: 'opencode',
  label: 'opencode',
  word: 'opencode',
  program: 'opencode',
  repeats: true,
  gives: 'its context in place of opencode’s compaction, recall, and /throughline',
  settings: ({ env, home, path }) =>
    path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode'),
  plan: (place, wanted) =>
    plugin(place, wanted, {
      client: 'opencode',
      at: place.path.join(opencode.settings(place), 'plugins', 'throughline.js'),
    }),
}

/** It loads every file of its extensions folder. */
export const pi: InstallableClient = {
  name: 'pi',
  label: 'pi',
  word: 'pi',
  program: 'pi',
  gives: 'its context in place of pi’s compaction, recall, and /throughline',
  settings: ({ env, home, path }) => env['PI_CODING_AGENT_DIR'] ?? path.join(home, '.pi', 'agent'),
  plan: (place, wanted) =>
    plugin(place, wanted, {
      client: 'pi',
      at: place.path.join(pi.settings(place), 'extensions', 'throughline.js'),
    }),
}

/** A client that loads one file of ours. */
function plugin(
  place: Place,
  wanted: Wanted,
  { client, at }: { client: string; at: string },
): Planned {
  const file: FileChange = { type: 'file', path: at, content: pluginText(place, client) }
  return { changes: [...runtimeCopy(place), file, ...settingsFile(place, client, wanted)] }
}

/** A plugin that loads the client's own part of the runtime, wherever the client copies it to. */
export function pluginText(place: Place, client: string): string {
  return `export { default } from ${runtimeUrl(place, client)}\n`
}

/**
 * A program that starts the client's own part of the runtime. A hook is a new process each time:
 * what Node compiled for the first is kept for those after it.
 */
export function programText(place: Place, client: string): string {
  const cache = place.path.join(runtimeFolder(place), 'dist', compileCache)
  return `import { enableCompileCache } from 'node:module'
enableCompileCache(${JSON.stringify(cache)})
await import(${runtimeUrl(place, client)})
`
}

/** @throws CommandError if the build has made nothing for that client. */
function runtimeUrl(place: Place, client: string): string {
  builtPath(place, `${client}.js`)
  const file = place.path.join(runtimeFolder(place), 'dist', 'clients', `${client}.js`)
  return JSON.stringify(pathToFileURL(file, { windows: place.platform === 'win32' }).href)
}

/**
 * A file that the build makes for clients.
 * @throws CommandError if it is not there.
 */
export function builtFile(place: Place, name: string): string {
  return readFileSync(builtPath(place, name), 'utf8')
}

function builtPath(place: Place, name: string): string {
  const file = join(place.package, 'dist', 'clients', name)
  if (existsSync(file)) return file
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

/**
 * Says beside a program of ours that it is a module: a `package.json` above it, which may be the
 * user's own in their home, could say that it is none.
 */
export function moduleBeside(place: Place, program: string): FileChange {
  const { path } = place
  const content = `${JSON.stringify({ type: 'module' })}\n`
  return { type: 'file', path: path.join(path.dirname(program), 'package.json'), content }
}

/** What clients start, a folder for each version. */
export function runtimesFolder({ folder, path }: Pick<Place, 'folder' | 'path'>): string {
  return path.join(folder, 'runtime')
}

/** The folder of this version’s own files, which clients start the command from. */
function runtimeFolder({ folder, path }: Pick<Place, 'folder' | 'path'>): string {
  return path.join(runtimesFolder({ folder, path }), packageVersion)
}

/**
 * What clients start is copied, so that it stays there: the package may be one that `npx` fetched
 * for a moment, or be updated under a running client.
 */
export function runtimeCopy(place: Place): Change[] {
  const { path } = place
  const folder = runtimeFolder(place)
  const copied = ['bin', 'dist'].map((name) => ({
    type: 'folder' as const,
    path: path.join(folder, name),
    from: path.join(place.package, name),
  }))
  return [...copied, moduleBeside(place, path.join(folder, 'bin'))]
}

/** The program that answers a person who types `/throughline`, in the folder of this version. */
export function typedProgram(place: Place): string {
  return place.path.join(runtimeFolder(place), 'dist', 'typed.js')
}

/**
 * The command with which a client starts the MCP server: it answers for the session of its client.
 * Where hooks of ours run, its agent may ask for more than recall.
 */
export function mcpServer(place: Place, hooked?: string): { command: string; args: string[] } {
  const program = place.path.join(runtimeFolder(place), 'bin', 'throughline.js')
  return {
    command: place.node,
    args: [program, 'mcp', ...(hooked === undefined ? [] : ['--for', hooked])],
  }
}
