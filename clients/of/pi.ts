import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const pi: Client = {
  name: 'pi',
  package: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  command: 'pi',
  call: { name: 'bash', input: { command: 'echo resumed-well' }, gives: 'resumed-well' },
  async settle({ home, url, model }) {
    const folder = join(home, '.pi', 'agent')
    const provider = {
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: 'dummy',
      models: [{ id: model, contextWindow: smallWindow, maxTokens: 8_000 }],
    }
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'models.json'),
      JSON.stringify({ providers: { scripted: provider } }),
    )
    const chosen = { defaultProvider: 'scripted', defaultModel: model }
    await writeFile(join(folder, 'settings.json'), JSON.stringify(chosen))
    return { PI_OFFLINE: '1' }
  },
  resume: ({ file, prompt }) => [
    ['-p', '--provider', 'scripted', '--model', 'scripted', '--session', file, prompt],
  ],
}
