import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const qwenCode: Client = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  command: 'qwen',
  call: {
    name: 'run_shell_command',
    input: {
      command: 'echo resumed-well',
      description: 'Says that it works',
      is_background: false,
    },
    gives: 'resumed-well',
  },
  async settle({ home, url, model }) {
    const folder = join(home, '.qwen')
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      model: { generationConfig: { contextWindowSize: smallWindow } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings))
    return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'dummy', OPENAI_MODEL: model }
  },
  resume: ({ session, prompt }) => [['-p', prompt, '--yolo', '--resume', session]],
}
