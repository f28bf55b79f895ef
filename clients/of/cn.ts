import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const cn: Client = {
  name: 'cn',
  package: '@continuedev/cli',
  version: '1.5.47',
  command: 'cn',
  call: { name: 'Bash', input: { command: 'echo resumed-well' }, gives: 'resumed-well' },
  async settle({ home, url, model }) {
    const settings = {
      name: 'local',
      version: '0.0.1',
      schema: 'v1',
      models: [
        {
          name: model,
          provider: 'openai',
          model,
          apiBase: `${url}/v1`,
          apiKey: 'dummy',
          defaultCompletionOptions: { contextLength: smallWindow },
          roles: ['chat'],
        },
      ],
    }
    const folder = join(home, '.continue')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'config.yaml'), JSON.stringify(settings))
    // It asks for a key of Anthropic's when it runs for the first time.
    await writeFile(join(folder, '.onboarding_complete'), '')
    return { CONTINUE_TELEMETRY_ENABLED: '0' }
  },
  resume: ({ session, prompt }) => [['--print', prompt, '--fork', session, '--auto']],
}
