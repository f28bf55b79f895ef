import { settingsFile, mcpServer, runtimeCopy } from '../plugin.ts'
import type { InstallableClient } from '../client.ts'
import type { Place } from '../place.ts'

/** A client whose compaction nobody can change: its agent gets recall over MCP. */
function recallOnly(
  names: Pick<InstallableClient, 'name' | 'label' | 'word' | 'program' | 'settings'>,
  file: (settings: string, place: Place) => string,
): InstallableClient {
  const { name, label, word, settings } = names
  return {
    ...names,
    gives: `recall; ${label} compacts by itself, and nothing can change that from inside`,
    plan: (place, wanted) => ({
      changes: [
        ...runtimeCopy(place),
        ...settingsFile(place, name, wanted),
        {
          type: 'entries',
          path: file(settings(place), place),
          entries: {
            syntax: 'json',
            entries: [{ at: ['mcpServers', 'throughline'], value: mcpServer(place) }],
          },
        },
      ],
      notes: [
        `To compact a session from outside and go on with it: throughline compact ${word}:latest --to ${name} --install`,
        `To carry it into another client: throughline resume ${word}:latest --in <client>`,
      ],
    }),
  }
}

export const geminiCli = recallOnly(
  {
    name: 'gemini-cli',
    label: 'Gemini CLI',
    word: 'gemini',
    program: 'gemini',
    settings: ({ env, home, path }) => path.join(env['GEMINI_CLI_HOME'] ?? home, '.gemini'),
  },
  (settings, { path }) => path.join(settings, 'settings.json'),
)

export const copilotCli = recallOnly(
  {
    name: 'copilot-cli',
    label: 'Copilot CLI',
    word: 'copilot',
    program: 'copilot',
    settings: ({ env, home, path }) => env['COPILOT_HOME'] ?? path.join(home, '.copilot'),
  },
  (settings, { path }) => path.join(settings, 'mcp-config.json'),
)
