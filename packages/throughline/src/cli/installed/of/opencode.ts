import { plugin } from '../plugin.ts'
import type { InstallableClient } from '../client.ts'

/** It loads every file of its plugin folder; no setting has to name it. */
export const opencode: InstallableClient = {
  name: 'opencode',
  label: 'opencode',
  word: 'opencode',
  program: 'opencode',
  gives: 'its context in place of opencode’s compaction, recall, and /throughline',
  settings: ({ env, home, path }) =>
    path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode'),
  plan: (place, wanted) =>
    plugin(place, wanted, {
      client: 'opencode',
      at: place.path.join(opencode.settings(place), 'plugins', 'throughline.js'),
    }),
}
