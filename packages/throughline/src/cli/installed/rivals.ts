import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rivals } from '../../clients/settings.ts'
import type { Place } from './place.ts'

export interface FoundRival {
  name: string
  file: string
}

const largest = 2_000_000

/**
 * The rivals that a client would load, by its settings and by the names of the plugins in its
 * folders. What cannot be read says nothing.
 */
export function rivalsIn(files: readonly string[], folders: readonly string[]): FoundRival[] {
  const texts = [
    ...files.map((file) => ({ file, text: textOf(file) })),
    ...folders.flatMap((folder) => namesIn(folder).map((name) => nameAsText(folder, name))),
  ]
  return rivals.flatMap((rival) => {
    const found = texts.find(({ text }) => rival.known.test(text))
    return found ? [{ name: rival.name, file: found.file }] : []
  })
}

function nameAsText(folder: string, name: string): { file: string; text: string } {
  const bare = name.replace(/\.[cm]?[jt]s$/, '')
  return { file: join(folder, name), text: `"${bare}"` }
}

/** Comments do not load anything. */
function textOf(file: string): string {
  try {
    if (statSync(file).size > largest) return ''
    return readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|#).*$/gm, '')
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Where each client says what it loads. */
export function loadedBy(
  client: string,
  { path, home, env }: Place,
): { files: string[]; folders: string[] } {
  const at = (...names: string[]): string => path.join(home, ...names)
  const config = path.join(env['XDG_CONFIG_HOME'] ?? at('.config'), 'opencode')
  const claude = env['CLAUDE_CONFIG_DIR'] ?? at('.claude')
  const codex = env['CODEX_HOME'] ?? at('.codex')
  const pi = env['PI_CODING_AGENT_DIR'] ?? at('.pi', 'agent')
  const found: Record<string, { files: string[]; folders: string[] }> = {
    opencode: {
      files: ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) =>
        path.join(config, name),
      ),
      folders: [path.join(config, 'plugin'), path.join(config, 'plugins')],
    },
    pi: {
      files: [path.join(pi, 'settings.json')],
      folders: [path.join(pi, 'extensions'), path.join(pi, 'npm', 'node_modules')],
    },
    'claude-code': {
      files: [path.join(claude, 'settings.json'), path.join(claude, 'settings.local.json')],
      folders: [],
    },
    codex: {
      files: [path.join(codex, 'config.toml'), path.join(codex, 'hooks.json')],
      folders: [],
    },
    'qwen-code': { files: [at('.qwen', 'settings.json')], folders: [at('.qwen', 'extensions')] },
    'gemini-cli': {
      files: [at('.gemini', 'settings.json')],
      folders: [at('.gemini', 'extensions')],
    },
    openclaw: {
      files: [path.join(env['OPENCLAW_STATE_DIR'] ?? at('.openclaw'), 'openclaw.json')],
      folders: [path.join(env['OPENCLAW_STATE_DIR'] ?? at('.openclaw'), 'extensions')],
    },
    hermes: {
      files: [path.join(env['HERMES_HOME'] ?? at('.hermes'), 'config.yaml')],
      folders: [path.join(env['HERMES_HOME'] ?? at('.hermes'), 'plugins')],
    },
    'copilot-cli': {
      files: [at('.copilot', 'mcp-config.json'), at('.copilot', 'settings.json')],
      folders: [],
    },
  }
  return found[client] ?? { files: [], folders: [] }
}
