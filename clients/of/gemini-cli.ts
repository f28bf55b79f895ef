import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../client.ts'

export const geminiCli: Client = {
  name: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  command: 'gemini',
  call: {
    name: 'run_shell_command',
    input: { command: 'echo resumed-well', description: 'Says that it works' },
    gives: 'resumed-well',
  },
  async settle({ home, url }) {
    const folder = join(home, '.gemini')
    const settings = {
      // As in a folder in which it has run before.
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings))
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy' }
  },
  // Gemini CLI has a window for each of its own models, and accepts no other.
  resume: ({ file, prompt }) => [
    ['-p', prompt, '--yolo', '--skip-trust', '-m', 'gemini-2.5-pro', '--session-file', file],
  ],
}
