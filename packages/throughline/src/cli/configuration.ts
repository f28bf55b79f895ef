import {
  loadConfig,
  loadConfigFile,
  loadNoConfig,
  storeSettings,
  type Configuration,
} from '../config/load-config.ts'
import { mergeSettings } from '../config/merge-settings.ts'
import { usage } from './parse-arguments.ts'
import { pathFrom } from './paths.ts'
import type { OptionSpec, ParsedArguments } from './command.ts'
import type { Io } from './io.ts'

/** The options of every command that a configuration can change. */
export const configOptions: readonly OptionSpec[] = [
  {
    name: 'config',
    value: 'FILE',
    help: 'Read the configuration from this file and from no other. Default: the nearest throughline.config.ts, .js, .mjs or .json, and the user’s own; see docs/config.md.',
  },
  { name: 'no-config', help: 'Read no configuration file.' },
]

/** The option of every command that works in the store; {@link configurationFor} heeds it. */
export const storeOption: OptionSpec = {
  name: 'store',
  value: 'FILE',
  help: 'The file of the session store. Default: THROUGHLINE_STORE, else what the configuration says, else sessions.db in the user’s data folder.',
}

/**
 * The configuration that is in force for a command.
 * @throws UsageError if both options are given; ConfigError if a file is wrong.
 */
export async function configurationFor(
  command: string,
  { values, flags }: ParsedArguments,
  io: Io,
): Promise<Configuration> {
  const file = values.get('config')
  const store = values.get('store')
  const none = flags.has('no-config')
  if (file !== undefined && none) {
    throw usage(command, '--config names a file and --no-config forbids it: leave one out')
  }
  const found = await (none
    ? loadNoConfig(io)
    : file === undefined
      ? loadConfig(io)
      : loadConfigFile(file, io))
  if (store === undefined) return found
  const path = pathFrom(io.cwd, store)
  const asked = storeSettings(path, store, { type: 'option', name: '--store' })
  return { ...found, settings: mergeSettings(asked, found.settings) }
}
