import { foldersOf, pathForReader } from '../../config/folders.ts'
import { exitCodes } from '../exit-code.ts'
import { safeJson } from '../safe-json.ts'
import { paintFor } from '../terminal/colour.ts'
import { chooseWindow, usualWindow } from '../window-choice.ts'
import { configJson } from './config-json.ts'
import { configLines, type Shown } from './config-lines.ts'
import { configOptions, configurationFor, storeOption } from './options.ts'
import { valuesInForce } from './in-force.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

export const configCommand: Command = {
  name: 'config',
  group: 'Setup',
  summary: 'Show the configuration that is in force, and where each value comes from.',
  description: [
    'Shows where a configuration was looked for and all that is in force: one line per value, with where it comes from. Sizes are in tokens, for the window of the model.',
  ],
  arguments: [],
  options: [
    { name: 'model', value: 'NAME', help: 'Show what holds for this model.' },
    storeOption,
    ...configOptions,
    { name: 'json', help: 'Print one JSON object instead.' },
  ],
  examples: [
    { command: 'throughline config', does: 'See what holds here, and why.' },
    {
      command: 'throughline config --model claude-opus-4-5 --json',
      does: 'What holds for a model, as JSON.',
    },
  ],
  run: runConfig,
}

async function runConfig(parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('config', parsed, io)
  const model = parsed.values.get('model')
  const choice =
    model === undefined ? usualWindow : chooseWindow(undefined, { model }, configuration)
  const preset = configuration.settings.whole.preset?.value ?? 'default'
  const shown: Shown = {
    lookups: configuration.lookups,
    model,
    choice,
    values: valuesInForce(configuration, choice.window, model),
    preset: preset === 'default' ? preset : `preset ${preset}`,
  }
  const { stdout, env, cwd } = io
  const text = parsed.flags.has('json')
    ? safeJson(configJson(shown))
    : configLines(shown, {
        width: stdout.columns(),
        paint: paintFor(stdout, env),
        pathText: (path) => pathForReader(path, foldersOf(env), cwd),
      }).join('\n')
  await stdout.write(`${text}\n`)
  return exitCodes.done
}
