import { jsonDocument } from '../../../formats/writing/written-fields.ts'
import { existsSync, readFileSync } from 'node:fs'
import { pluginText, runtimeCopy, settingsFile } from '../plugin.ts'
import { CommandError } from '../../errors.ts'
import { ConfigurationEditError } from '../change.ts'
import { fieldsOf, nameOf } from '../../../json/fields.ts'
import { json5Tree } from '../json5-tree.ts'
import { packageVersion } from '../../version.ts'
import type { InstallableClient } from '../client.ts'
import type { Place } from '../place.ts'

const id = 'throughline'
const tools = ['throughline_recall', 'throughline_pin', 'throughline_compact']

/** What OpenClaw reads of a plugin before it loads it. */
export const openclawManifest = {
  id,
  name: 'Throughline',
  description: 'The context of long sessions, compacted without loss.',
  kind: 'context-engine',
  activation: { onStartup: true },
  contracts: { tools },
  configSchema: { type: 'object', additionalProperties: true, properties: {} },
}

/** A plugin that has its slot for a context engine: OpenClaw asks us for each request. */
export const openclaw: InstallableClient = {
  name: 'openclaw',
  label: 'OpenClaw',
  word: 'openclaw',
  program: 'openclaw',
  gives: 'its context by Throughline in place of OpenClaw’s own, recall, and /throughline',
  turn: [
    'agent',
    '--session-key',
    'agent:main:throughline-doctor',
    '--message',
    'Answer-with-one-word.',
    '--json',
  ],
  settings: ({ env, home, path }) => env['OPENCLAW_STATE_DIR'] ?? path.join(home, '.openclaw'),
  plan(place, wanted) {
    const { path } = place
    const folder = path.join(place.folder, 'openclaw', id)
    const file = configurationOf(place)
    checkSlot(file)
    const asPackage = {
      name: id,
      version: packageVersion,
      type: 'module',
      main: './index.js',
      openclaw: { extensions: ['./index.js'] },
    }
    return {
      changes: [
        ...runtimeCopy(place),
        {
          type: 'file',
          path: path.join(folder, 'index.js'),
          content: pluginText(place, 'openclaw'),
        },
        { type: 'file', path: path.join(folder, 'package.json'), content: jsonDocument(asPackage) },
        {
          type: 'file',
          path: path.join(folder, 'openclaw.plugin.json'),
          content: jsonDocument(openclawManifest),
        },
        ...settingsFile(place, 'openclaw', wanted),
        {
          type: 'entries',
          path: file,
          entries: {
            syntax: 'json5',
            entries: [
              { at: ['plugins', 'load', 'paths'], value: folder, mark: folder },
              { at: ['plugins', 'entries', id, 'enabled'], value: true },
              { at: ['plugins', 'slots', 'contextEngine'], value: id },
              {
                at: ['agents', 'defaults', 'compaction', 'midTurnPrecheck', 'enabled'],
                value: true,
              },
            ],
          },
        },
      ],
      notes: [
        'A long turn is compacted while it runs: agents.defaults.compaction.midTurnPrecheck is on for that.',
        'Command-line back ends, such as claude-cli, send and compact their own context: their sessions stay as they are.',
      ],
    }
  },
}

function configurationOf(place: Place): string {
  const { env, path } = place
  return env['OPENCLAW_CONFIG_PATH'] ?? path.join(openclaw.settings(place), 'openclaw.json')
}

/**
 * Only the user takes another engine out of its slot.
 * @throws CommandError
 */
function checkSlot(file: string): void {
  const owner = existsSync(file) ? ownerIn(readFileSync(file, 'utf8'), file) : undefined
  if (owner === undefined || owner === id || owner === 'legacy') return
  throw new CommandError(
    `the slot for OpenClaw’s context engine belongs to ${owner} (${file}), and only one can have it. Nothing was installed. If you want Throughline there, run "openclaw config set plugins.slots.contextEngine legacy", and then this again.`,
  )
}

function ownerIn(text: string, file: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    const plugins = fieldsOf(fieldsOf(json5Tree(text).value)?.['plugins'])
    return nameOf(fieldsOf(plugins?.['slots'])?.['contextEngine'])
  } catch (error) {
    if (!(error instanceof ConfigurationEditError)) throw error
    throw new CommandError(`${file} was not changed: ${error.message}.`, { cause: error })
  }
}
