import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const packageFolder = join(import.meta.dirname, '..')

/** What `exports` of package.json names, and the file that each is made from. */
export const libraryEntries = {
  index: 'src/index.ts',
  engine: 'src/engine.ts',
  'ai-sdk': 'src/integrations/ai-sdk/index.ts',
  anthropic: 'src/integrations/anthropic/index.ts',
  'claude-agent-sdk': 'src/integrations/claude-agent-sdk/index.ts',
  config: 'src/config/index.ts',
  conversation: 'src/integrations/conversation/index.ts',
  evaluation: 'src/evaluation/index.ts',
  formats: 'src/formats/index.ts',
  gemini: 'src/integrations/gemini/index.ts',
  google: 'src/integrations/google/index.ts',
  'gpt-tokenizer': 'src/integrations/gpt-tokenizer/index.ts',
  hosts: 'src/hosts/index.ts',
  langchain: 'src/integrations/langchain/index.ts',
  llamaindex: 'src/integrations/llamaindex/index.ts',
  mastra: 'src/integrations/mastra/index.ts',
  openai: 'src/integrations/openai/index.ts',
  'openai-agents': 'src/integrations/openai-agents/index.ts',
  sqlite: 'src/stores/sqlite/index.ts',
  stores: 'src/stores/index.ts',
  testing: 'src/testing/index.ts',
  'testing/ai-sdk': 'src/testing/ai-sdk.ts',
  'testing/provider': 'src/testing/provider/index.ts',
  'testing/task': 'src/testing/task/index.ts',
} as const

/** The doors that a browser or an edge worker opens: they load nothing of Node. */
export const pureEntries = [
  'index',
  'engine',
  'ai-sdk',
  'anthropic',
  'conversation',
  'gemini',
  'google',
  'gpt-tokenizer',
  'langchain',
  'llamaindex',
  'mastra',
  'openai',
  'openai-agents',
] as const satisfies readonly (keyof typeof libraryEntries)[]

/**
 * The packages that a door is for. Whoever opens it has these; of any other peer, neither its code
 * nor its types may ask for anything.
 */
export const peersOf: Partial<Record<keyof typeof libraryEntries, readonly string[]>> = {
  'ai-sdk': ['ai'],
  // It judges what a shell line changes by a parser that isn't ours.
  evaluation: ['unbash'],
  'gpt-tokenizer': ['gpt-tokenizer'],
  langchain: ['langchain', '@langchain/core'],
  llamaindex: ['@llamaindex/core'],
  mastra: ['@mastra/core'],
  'openai-agents': ['@openai/agents'],
  'testing/ai-sdk': ['ai'],
}

/** What the command begins with. */
export const commandEntry = 'src/cli/main.ts'

/** What makes pages in the process of a gateway: it is loaded by its file, and by nobody else. */
export const pageEntry = 'src/cli/gateway/session-page.ts'

/** What answers a person who types `/throughline` in Claude Code: it is started by its file. */
export const typedEntry = 'src/clients/claude-code/typed.ts'

/**
 * What runs for a client: its plugin, or the program that its hooks start. It is loaded by its file,
 * and shares what it needs with the command and the library.
 */
export const clientEntries: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(join(packageFolder, 'src/clients')).flatMap((client) =>
    ['plugin.ts', 'program.ts']
      .map((file) => `src/clients/${client}/${file}`)
      .filter((file) => existsSync(join(packageFolder, file)))
      .map((file) => [`clients/${client}`, file]),
  ),
)

/** What Claude Code loads into itself, without Node: one file, which `install` completes. */
export const moduleEntry = 'src/clients/claude-code/module.ts'

/** What an entry is imported as. */
export function importedAs(entry: string): string {
  return entry === 'index' ? 'throughline' : `throughline/${entry}`
}
