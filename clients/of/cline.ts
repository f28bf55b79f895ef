import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../client.ts'

export const cline: Client = {
  name: 'cline',
  package: 'cline',
  version: '3.0.65',
  command: 'cline',
  call: {
    name: 'run_commands',
    input: { commands: ['echo resumed-well'] },
    gives: 'resumed-well',
  },
  async settle({ home, url, model }) {
    const folder = join(home, '.cline', 'data', 'settings')
    const provider = 'openai-compatible'
    const settings = { provider, apiKey: 'dummy', model, baseUrl: `${url}/v1` }
    const updatedAt = new Date().toISOString()
    const providers = { [provider]: { settings, updatedAt, tokenSource: 'manual' } }
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'providers.json'),
      JSON.stringify({ version: 1, lastUsedProvider: provider, providers }),
    )
    return { CLINE_NO_AUTO_UPDATE: '1' }
  },
  // With a prompt it would begin a new session.
  resume: ({ session }) => [['--id', session]],
  onlyOnTerminal: true,
}
