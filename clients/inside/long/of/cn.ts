import { join } from 'node:path'
import { lastTextOf } from '../../last-text.ts'
import { changeJson } from '../../change-json.ts'
import { cn } from '../../../of/cn.ts'
import type { LongClient } from '../long-client.ts'

const window = 64_000

interface Config {
  models: { defaultCompletionOptions: { contextLength: number; maxTokens?: number } }[]
}

/** Nothing can be installed in it. */
export const longCn: LongClient = {
  client: cn,
  isBehind: true,
  window,
  strict: false,
  read: (filepath) => ({ name: 'Read', input: { filepath } }),
  run: (command) => ({ name: 'Bash', input: { command } }),
  write: (filepath, content) => ({ name: 'Write', input: { filepath, content } }),
  asksForSummary: (request) =>
    lastTextOf(request).startsWith('Please provide a concise summary of our conversation'),
  async prepare(home) {
    // JSON is YAML.
    await changeJson(join(home, '.continue/config.yaml'), ({ models }: Config) => {
      for (const model of models) {
        model.defaultCompletionOptions = { contextLength: window, maxTokens: 4_000 }
      }
    })
    return {}
  },
  first: (prompt) => ['--print', prompt, '--auto'],
  again: (prompt) => ['--print', prompt, '--resume', '--auto'],
}
