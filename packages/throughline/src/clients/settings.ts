import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { countOf, fieldsOf } from '../json/fields.ts'
import { clientRecordFile } from './record.ts'

/** Another program that changes what the model of a client sees: two of them undo each other's work. */
interface Rival {
  name: string
  /** How its name stands in a client's settings, in quotes, or in the name of a file that it loads. */
  known: RegExp
}

export const rivals: readonly Rival[] = [
  { name: 'DCP', known: /opencode-(?:dcp|dynamic-context-pruning)(?![\w-])/i },
  { name: 'ACP', known: /(?:opencode-acp|acp-kernel)(?![\w-])/i },
  { name: 'magic-context', known: /magic-context(?![\w-])/i },
  { name: 'billion-context', known: /billion-context|[\\/"]bili[\\/"]|127\.0\.0\.1:\d+\/bili/i },
  {
    name: 'Headroom',
    known:
      /headroom-(?:ai|opencode)|headroom_(?:retrieve|proxy)|"headroom"|\[mcp_servers\.headroom\]/i,
  },
  { name: 'Morph compact', known: /morph-(?:claude-code-plugin|compact|plugin)|morphllm/i },
  { name: 'Sleev', known: /(?:127\.0\.0\.1|localhost):17321|[\\/"-]sleev[\\/."]/i },
]

/** The name of a rival among the plugins that a client loads; `undefined` if there is none. */
export function rivalAmong(loaded: readonly string[]): string | undefined {
  const names = loaded.map((plugin) => `"${plugin.replace(version, '')}"`)
  return rivals.find(({ known }) => names.some((name) => known.test(name)))?.name
}

// `plugin@1.2.3`, but not the scope of `@owner/plugin`.
const version = /(?<=.)@[^/@]*$/

/** What the user has decided for a client's plugin. */
export interface ClientSettings {
  /** The client compacts by itself, as if there were no plugin. */
  off: boolean
  /** Summaries are made by code: no model is asked. */
  local: boolean
  /** How long a compaction may wait for the client's model, in milliseconds. */
  patience: number
}

const usualPatience = 90_000
// It asks its model again by itself, and thinks aloud before each summary.
const usualPatienceOf: Readonly<Record<string, number>> = { 'claude-code': 180_000 }

type Environment = Readonly<Record<string, string | undefined>>

/** The file of a client's settings, beside its records. */
export function clientSettingsFile(client: string, env: Environment): string | undefined {
  return clientRecordFile(client, env)?.replace(/jsonl$/, 'settings.json')
}

/**
 * The settings of a client. `THROUGHLINE_OFF=1` and `THROUGHLINE_LOCAL=1` say it for one process. A
 * file that can't be read says nothing.
 */
export function clientSettings(client: string, env: Environment): ClientSettings {
  const fields = fieldsOf(written(clientSettingsFile(client, env)))
  return {
    off: env['THROUGHLINE_OFF'] === '1' || fields?.['off'] === true,
    local: env['THROUGHLINE_LOCAL'] === '1' || fields?.['local'] === true,
    patience: countOf(fields?.['patience']) ?? usualPatienceOf[client] ?? usualPatience,
  }
}

/**
 * Changes some of them for good.
 * @throws an error of the file system.
 */
export function changeClientSettings(
  client: string,
  env: Environment,
  changes: Partial<ClientSettings>,
): void {
  const file = clientSettingsFile(client, env)
  if (file === undefined) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const settings = { ...fieldsOf(written(file)), ...changes }
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
}

function written(file: string | undefined): unknown {
  if (file === undefined) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
