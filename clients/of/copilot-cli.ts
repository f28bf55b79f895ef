import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

export const copilotCli: Client = {
  name: 'copilot-cli',
  package: '@github/copilot',
  version: '1.0.102',
  command: 'copilot',
  call: {
    name: 'bash',
    input: { command: 'echo resumed-well', description: 'Says that it works' },
    gives: 'resumed-well',
  },
  settle: async ({ url, model, cache }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: `${smallWindow}`,
    COPILOT_MODEL: model,
    COPILOT_OFFLINE: 'true',
    // It unpacks itself there.
    XDG_CACHE_HOME: join(cache, 'unpacked'),
  }),
  resume: ({ session, prompt }) => [['-p', prompt, '--allow-all-tools', `--resume=${session}`]],
}
