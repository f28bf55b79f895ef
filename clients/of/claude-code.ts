import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallWindow, type Client } from '../client.ts'

const apiKey = 'dummy'

export const claudeCode: Client = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  command: 'claude',
  call: { name: 'Bash', input: { command: 'echo resumed-well' }, gives: 'resumed-well' },
  async settle({ home, url, model }) {
    // What it asks on a terminal when it runs for the first time.
    const answered = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [apiKey], rejected: [] },
      projects: { [join(home, 'work/project')]: { hasTrustDialogAccepted: true } },
    }
    await writeFile(join(home, '.claude.json'), JSON.stringify(answered))
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: apiKey,
      ANTHROPIC_MODEL: model,
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: `${smallWindow}`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    }
  },
  resume: ({ session, prompt }) => [
    ['-p', prompt, '--resume', session, '--dangerously-skip-permissions'],
  ],
}
