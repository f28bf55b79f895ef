import { hermesPlugin } from './hermes-plugin.ts'
import { moduleBeside, programText, runtimeCopy, settingsFile } from '../plugin.ts'
import { packageVersion } from '../../version.ts'
import type { InstallableClient } from '../client.ts'

/** A plugin in Python, which speaks with one child of ours. Only the user chooses the engine. */
export const hermes: InstallableClient = {
  name: 'hermes',
  label: 'Hermes',
  word: 'hermes',
  program: 'hermes',
  gives: 'its context by Throughline in place of Hermes’ own, and recall',
  first: 'Set “engine: throughline” under “context:” in config.yaml, and restart Hermes.',
  settings: ({ env, home, path }) => env['HERMES_HOME'] ?? path.join(home, '.hermes'),
  plan(place, wanted) {
    const { path } = place
    const program = path.join(place.folder, 'hermes', 'program.js')
    const folder = path.join(hermes.settings(place), 'plugins', 'throughline')
    const about = [
      'name: throughline',
      `version: ${packageVersion}`,
      'description: The context of long sessions, compacted without loss.',
      '',
    ]
    return {
      changes: [
        { type: 'file', path: program, content: programText(place, 'hermes') },
        moduleBeside(place, program),
        ...runtimeCopy(place),
        ...settingsFile(place, 'hermes', wanted),
        { type: 'file', path: path.join(folder, 'plugin.yaml'), content: about.join('\n') },
        {
          type: 'file',
          path: path.join(folder, '__init__.py'),
          content: hermesPlugin([place.node, program]),
        },
      ],
      notes: [
        'Hermes turns on no engine by itself: run "hermes plugins enable throughline", and set "engine: throughline" under "context:" in its config.yaml.',
        'It was tried with a host of our own that calls it as Hermes documents, not with Hermes itself.',
      ],
      leftovers: [{ type: 'folder', path: path.join(folder, '__pycache__') }],
    }
  },
}
