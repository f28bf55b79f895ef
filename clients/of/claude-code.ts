import { smallWindow, type Client } from '../client.ts'

export const claudeCode: Client = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  command: 'claude',
  call: { name: 'Bash', input: { command: 'echo resumed-well' }, gives: 'resumed-well' },
  settle: async ({ url, model }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_MODEL: model,
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: `${smallWindow}`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }),
  resume: ({ session, prompt }) => [
    ['-p', prompt, '--resume', session, '--dangerously-skip-permissions'],
  ],
}
