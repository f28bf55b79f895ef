import {
  loadConfig,
  loadConfigFile,
  loadNoConfig,
  loadOwnConfig,
  storeSettings,
  type Configuration,
  type Lookup,
  mergeSettings,
} from '../config/load-config.ts'
import { usage } from './parse-arguments.ts'
import { pathFrom, shownPath } from './paths.ts'
import type { Ignored } from '../config/files/find-files.ts'
import type { Options, ParsedArguments } from './command.ts'
import type { Io } from './io.ts'

/** The options of every command that a configuration can change. */
export const configOptions: Options = {
  '--config FILE':
    'Read only this configuration file, which may be code. Default: the project’s throughline.config.json, and your own; see docs/config.md.',
  '--no-config': 'Read no configuration file.',
}

/** The option of every command that works with the store; {@link configurationFor} applies it. */
export const storeOption: Options = {
  '--store FILE':
    'The session store’s file. Default: THROUGHLINE_STORE, else the configuration’s store, else sessions.db in the user’s data folder.',
}

/**
 * The active configuration for a command.
 * @throws UsageError if both options are given; ConfigError if a file is invalid.
 */
export async function configurationFor(
  command: string,
  parsed: ParsedArguments,
  io: Io,
): Promise<Configuration> {
  const configuration = await configured(command, parsed, io, loadConfig)
  for (const { ignored } of configuration.lookups) {
    if (ignored) await io.stderr.write(`throughline: ${ignoredText(ignored)}\n`)
  }
  return configuration
}

const reasons: Readonly<Record<Ignored, string>> = {
  code: 'it is code of this project, and was not run',
  owner: 'it belongs to another user, and was not read',
  link: 'it is a link to a file outside its directory, and was not read',
}

/** Why a file of the project is not read, and what to do. */
function ignoredText({ file, why }: NonNullable<Lookup['ignored']>): string {
  return `${shownPath(file.shown)}: ${reasons[why]}. If you wrote it: --config FILE. Otherwise: --no-config.`
}

/**
 * The same without any file of the project, for what a client starts by itself: the user has not
 * looked at the directory yet.
 * @throws UsageError, ConfigError
 */
export async function ownConfigurationFor(
  command: string,
  parsed: ParsedArguments,
  io: Io,
): Promise<Configuration> {
  return configured(command, parsed, io, loadOwnConfig)
}

async function configured(
  command: string,
  { values, flags }: ParsedArguments,
  io: Io,
  load: typeof loadConfig,
): Promise<Configuration> {
  const file = values.get('config')
  const store = values.get('store')
  const none = flags.has('no-config')
  if (file !== undefined && none) {
    throw usage(command, '--config names a file and --no-config forbids it: use only one')
  }
  const found = await (none
    ? loadNoConfig(io)
    : file === undefined
      ? load(io)
      : loadConfigFile(file, io))
  if (store === undefined) return found
  const path = pathFrom(io.cwd, store)
  const asked = storeSettings(path, store, { type: 'option', name: '--store' })
  return { ...found, settings: mergeSettings(asked, found.settings) }
}
