import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const opencode: Client = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  command: 'opencode',
  call: {
    name: 'bash',
    input: { command: 'echo resumed-well', description: 'Says that it works' },
    gives: 'resumed-well',
  },
  async settle({ home, url, model }) {
    const folder = join(home, '.config', 'opencode')
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
      models: { [model]: { limit: { context: smallWindow, output: 8_000 }, tool_call: true } },
    }
    const config = {
      provider: { scripted: provider },
      model: `scripted/${model}`,
      small_model: `scripted/${model}`,
      permission: { '*': 'allow' },
    }
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(config))
    return {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }
  },
  // The session's own model belongs to another provider.
  resume: ({ session, file, prompt }) => [
    ['import', file],
    ['run', '--session', session, '--model', 'scripted/scripted', prompt],
  ],
}
