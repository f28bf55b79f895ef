import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const packageFolder = join(import.meta.dirname, '..')

/** What package.json exports: the name of each bundle in `dist`, and the file that it is made from. */
export const libraryEntries = {
  index: 'src/index.ts',
  engine: 'src/engine.ts',
  config: 'src/config/index.ts',
  evaluation: 'src/evaluation/index.ts',
  formats: 'src/formats/index.ts',
  harnesses: 'src/harnesses/index.ts',
  sqlite: 'src/stores/sqlite/index.ts',
  'ai-sdk': 'src/integrations/ai-sdk/index.ts',
  anthropic: 'src/integrations/anthropic/index.ts',
  'gpt-tokenizer': 'src/integrations/gpt-tokenizer/index.ts',
  langchain: 'src/integrations/langchain/index.ts',
  openai: 'src/integrations/openai/index.ts',
  opentelemetry: 'src/integrations/opentelemetry/index.ts',
  testing: 'src/testing/index.ts',
  'testing-ai-sdk': 'src/testing/ai-sdk.ts',
  'testing-provider': 'src/testing/provider/index.ts',
  'testing-task': 'src/testing/task/index.ts',
} as const

/** Peers stay outside: whoever uses them has them. */
export function isPeer(id: string): boolean {
  const { peerDependencies } = JSON.parse(
    readFileSync(join(packageFolder, 'package.json'), 'utf8'),
  ) as { peerDependencies: Record<string, string> }
  return Object.keys(peerDependencies).some((name) => id === name || id.startsWith(`${name}/`))
}
