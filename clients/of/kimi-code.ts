import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const kimiCode: Client = {
  name: 'kimi-code',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  command: 'kimi',
  call: { name: 'Bash', input: { command: 'echo resumed-well' }, gives: 'resumed-well' },
  async settle({ home, url, model }) {
    const folder = join(home, '.kimi-code')
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'config.toml'),
      [
        'default_model = "local"',
        'telemetry = false',
        '[providers.local]',
        'type = "openai"',
        `base_url = "${url}/v1"`,
        'api_key = "dummy"',
        '[models.local]',
        'provider = "local"',
        `model = "${model}"`,
        `max_context_size = ${smallWindow}`,
      ].join('\n'),
    )
    return {}
  },
  // Only on a terminal does it take the user's default model by itself.
  resume: ({ session, prompt }) => [
    ['--resume', `session_${session}`, '--model', 'local', '--prompt', prompt],
  ],
}
