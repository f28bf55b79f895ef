import { jsonDocument } from '../../../formats/writing/written-fields.ts'
import { commandUsage } from '../../../clients/command.ts'
import { packageVersion } from '../../version.ts'
import {
  builtFile,
  settingsFile,
  mcpServer,
  moduleBeside,
  programText,
  runtimeCopy,
  typedProgram,
} from '../plugin.ts'
import { shellLine, type Place } from '../place.ts'
import type { InstallableClient } from '../client.ts'

const name = 'throughline'

/**
 * A plugin from a marketplace of its own, which is a folder of ours: Claude Code reads it in place.
 * It has both a hooks module, which replaces the compaction, and the documented hooks for where the
 * module does not load.
 */
export const claudeCode: InstallableClient = {
  name: 'claude-code',
  label: 'Claude Code',
  word: 'claude',
  program: 'claude',
  gives:
    'its context in place of Claude Code’s compaction where hooks modules load, else facts before and after it, and recall',
  repeats: true,
  settings: ({ env, home, path }) => env['CLAUDE_CONFIG_DIR'] ?? path.join(home, '.claude'),
  plan(place, wanted) {
    const { path } = place
    const settings = claudeCode.settings(place)
    const market = path.join(place.folder, 'claude-code')
    const plugin = path.join(market, 'plugin')
    const program = path.join(plugin, 'program.js')
    const json = (...names: string[]) => ({
      type: 'file' as const,
      path: path.join(...names),
    })
    return {
      changes: [
        {
          ...json(market, '.claude-plugin', 'marketplace.json'),
          content: jsonDocument({
            name,
            owner: { name: 'Throughline' },
            plugins: [{ name, source: './plugin', description }],
          }),
        },
        {
          ...json(plugin, '.claude-plugin', 'plugin.json'),
          content: jsonDocument({ name, version: packageVersion, description }),
        },
        {
          ...json(plugin, '.mcp.json'),
          content: jsonDocument({ mcpServers: { [name]: mcpServer(place, 'claude-code') } }),
        },
        { ...json(plugin, 'hooks', 'hooks.json'), content: jsonDocument(hooks(place, program)) },
        { ...json(program), content: programText(place, 'claude-code') },
        {
          ...json(plugin, 'hooks', 'register.mjs'),
          content: moduleText(place, program),
        },
        moduleBeside(place, program),
        ...runtimeCopy(place),
        ...settingsFile(place, 'claude-code', wanted),
        // In a plugin, its name would be /throughline:throughline.
        { ...json(settings, 'commands', `${name}.md`), content: command },
        {
          type: 'entries',
          path: path.join(settings, 'settings.json'),
          entries: {
            syntax: 'json',
            entries: [
              {
                at: ['extraKnownMarketplaces', name],
                value: { source: { source: 'directory', path: market } },
              },
              { at: ['enabledPlugins', `${name}@${name}`], value: true },
            ],
          },
        },
      ],
      notes: [
        'throughline status says which is at work: the hooks module, or the hooks beside Claude Code’s own compaction.',
      ],
      leftovers: [
        {
          type: 'entry',
          path: path.join(settings, 'plugins', 'known_marketplaces.json'),
          at: [name],
        },
        {
          type: 'entry',
          path: path.join(settings, 'plugins', 'installed_plugins.json'),
          at: ['plugins', `${name}@${name}`],
        },
        ...['cache', 'data'].map((each) => ({
          type: 'folder' as const,
          path: path.join(settings, 'plugins', each, each === 'cache' ? name : `${name}-${name}`),
        })),
      ],
    }
  },
}

const description =
  'Compacts this session: what was said word for word, the facts by code, and recall of everything that was cut.'

// The hook answers in its place: what stands here reaches a model only where the hook does not run.
const command = `---
description: Throughline in this session: ${commandUsage}
argument-hint: status | show | preview | compact | recall | pin | unpin | undo | off | on
disable-model-invocation: true
---
Say in one sentence that Throughline's plugin is not loaded in this session, and that \`throughline status\` in a terminal says why. Do nothing else.
`

// Seconds: longer than the program takes before it gives up by itself.
const timeout = 30

function hooks(place: Place, program: string) {
  const command = shellLine(place, [place.node, program])
  const typed = shellLine(place, [place.node, typedProgram(place)])
  const hook = { type: 'command', command, timeout }
  return {
    hooks: {
      PreCompact: [{ hooks: [hook] }],
      SessionStart: [{ matcher: 'compact', hooks: [hook] }],
      // Behind the hooks that tell what was said: the first is the one that the doctor tries.
      UserPromptExpansion: [{ matcher: name, hooks: [{ ...hook, command: typed }] }],
    },
    modules: ['./register.mjs'],
  }
}

/** The module knows how the program beside it is started. */
function moduleText(place: Place, program: string): string {
  const options = JSON.stringify({ node: place.node, program })
  return `const THROUGHLINE = ${options};\n${builtFile(place, 'claude-code-module.js')}`
}
