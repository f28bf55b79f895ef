import { plugin } from '../plugin.ts'
import type { InstallableClient } from '../client.ts'

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
