import { writeFile } from 'node:fs/promises'
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
    await writeFile(join(home, 'config.yaml'), JSON.stringify(settings))
    return { CONTINUE_TELEMETRY_ENABLED: '0' }
  },
  // Its command is run two folders below the home.
  resume: ({ session, prompt }) => [
    ['--print', prompt, '--fork', session, '--auto', '--config', '../../config.yaml'],
  ],
}
