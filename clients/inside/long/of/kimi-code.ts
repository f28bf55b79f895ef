import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lastTextOf } from '../../last-text.ts'
import { kimiCode } from '../../../of/kimi-code.ts'
import type { LongClient } from '../long-client.ts'

// Of it, Kimi keeps half free.
const window = 100_000

/** Nothing can be installed in it. */
export const longKimiCode: LongClient = {
  client: kimiCode,
  isBehind: true,
  window,
  strict: false,
  read: (path) => ({ name: 'Read', input: { path } }),
  run: (command) => ({ name: 'Bash', input: { command } }),
  write: (path, content) => ({ name: 'Write', input: { path, content } }),
  asksForSummary: (request) =>
    lastTextOf(request).startsWith('You are about to run out of context.'),
  async prepare(home) {
    const file = join(home, '.kimi-code/config.toml')
    const text = await readFile(file, 'utf8')
    const [line = '', url = ''] = /^base_url = "(.*)"\n/m.exec(text) ?? []
    const changed = text.replace(line, '').replace(/(max_context_size = )\d+/, `$1${window}`)
    await writeFile(file, changed)
    // Where no file names an address, it takes that of its environment, which the gateway changes.
    return { OPENAI_BASE_URL: url }
  },
  first: (prompt) => ['--model', 'local', '--prompt', prompt],
  again: (prompt) => ['--model', 'local', '--continue', '--prompt', prompt],
}
