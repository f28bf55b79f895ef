import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const codex: Client = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  command: 'codex',
  call: { name: 'exec_command', input: { cmd: 'echo resumed-well' }, gives: 'resumed-well' },
  async settle({ home, url, model }) {
    const folder = join(home, '.codex')
    await mkdir(folder, { recursive: true })
    // Of a model that it does not know, it shows only 10,000 bytes of each output.
    await writeFile(
      join(folder, 'config.toml'),
      `model = "${model}"
model_provider = "scripted"
model_context_window = ${smallWindow}
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
tool_output_token_limit = 40000

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
`,
    )
    return { SCRIPTED_API_KEY: 'dummy' }
  },
  resume: ({ session, prompt }) => [
    ['exec', '--json', '--skip-git-repo-check', 'resume', session, prompt],
  ],
}
