import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { parsedJson } from '../../../json/fields.ts'
import type { LoadedPlugin } from './plugin-host.ts'
import type { Installed } from '../../installed/ledger.ts'

/** What a client starts of ours, as its own files say it. */
export interface StartedPaths {
  server: { command: string; args: readonly string[] } | undefined
  /** The line that its shell runs for a hook. */
  hook: string | undefined
  /** The file that the client loads into itself. */
  plugin?: LoadedPlugin
}

/** Reads the paths out of what was written: out of entries, and out of whole files of ours. */
export function startedPaths(
  { steps }: Installed,
  read: (file: string) => string,
  client?: string,
): StartedPaths {
  const values = steps.flatMap(({ path, what }): unknown[] => {
    if (what.type === 'folder') return []
    if (what.type === 'file') return path.endsWith('.json') ? [parsedJson(read(path))] : []
    if (what.entries.syntax !== 'toml') return what.entries.entries.map(({ value }) => value)
    return [tomlServer(what.entries.blocks.end ?? [])]
  })
  return {
    server: firstIn(values, isServer),
    hook: firstIn(values, isHook)?.command,
    ...pluginOf(steps, client),
  }
}

/** The programs that a client would start and that are not there: an update of Node moves it. */
export function gonePrograms({ server, hook }: StartedPaths): string[] {
  const [, quoted, plain] = /^(?:["']([^"']+)["']|(\S+))/.exec(hook ?? '') ?? []
  const programs = [server?.command, quoted ?? plain].filter(
    (program) => program !== undefined && isAbsolute(program) && !existsSync(program),
  )
  return [...new Set(programs)].map(
    (program) => `${program} is gone, and the client would start it`,
  )
}

function pluginOf(
  steps: Installed['steps'],
  client: string | undefined,
): Pick<StartedPaths, 'plugin'> {
  if (client !== 'opencode' && client !== 'openclaw' && client !== 'pi') return {}
  const file = steps.find(({ path, what }) => what.type === 'file' && path.endsWith('.js'))?.path
  return file === undefined ? {} : { plugin: { client, file } }
}

interface Server {
  command: string
  args: string[]
}

function isServer(value: object): value is Server {
  return 'args' in value && Array.isArray(value.args) && 'command' in value
}

function isHook(value: object): value is { command: string } {
  return 'type' in value && value.type === 'command' && 'command' in value
}

function firstIn<Found>(
  values: readonly unknown[],
  is: (value: object) => value is Found & object,
): Found | undefined {
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    if (is(value)) return value
    const found = firstIn(Object.values(value), is)
    if (found) return found
  }
  return undefined
}

/** Our lines of TOML hold strings as JSON writes them. */
function tomlServer(lines: readonly string[]): unknown {
  const of = (key: string): unknown =>
    parsedJson(lines.find((line) => line.startsWith(`${key} = `))?.slice(key.length + 3) ?? 'null')
  return { command: of('command'), args: of('args') }
}
