// The Claude Agent SDK with its own Claude Code: a session that is resumed again and again fits.
import { InMemorySessionStore, query } from '@anthropic-ai/claude-agent-sdk'
import { compactingSessionStore } from 'throughline/claude-agent-sdk'
import { mkdtempSync, rmSync } from 'node:fs'
import { startProvider } from 'throughline/testing/provider'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const window = { context: 32_000 }
const long = 'word '.repeat(1_500)
const provider = await startProvider({
  script: ({ number }) => ({ text: `Answer ${number}. ${long}${long}` }),
})
const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'))
const sessionStore = compactingSessionStore(new InMemorySessionStore(), { window })
const options = {
  sessionStore,
  model: 'claude-sonnet-4-5',
  cwd: home,
  maxTurns: 1,
  tools: [],
  settingSources: [],
  env: {
    ...process.env,
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'none',
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
}
try {
  let resume
  for (let turn = 1; turn <= 8; turn++) {
    const prompt = `Question ${turn}. Never edit main.ts. ${long}`
    const settings = { ...options, ...(resume && { resume }) }
    for await (const message of query({ prompt, options: settings })) {
      resume = message.session_id ?? resume
      if (message.type === 'result' && message.subtype !== 'success')
        throw new Error(message.subtype)
    }
  }
  const { requests } = provider
  const most = Math.max(...requests.map(({ tokens }) => tokens))
  const last = JSON.stringify(requests.at(-1)?.body)
  const isSummarized = last.includes('prior-conversation-summary')
  if (most > window.context || !isSummarized || !last.includes('Never edit main.ts.')) {
    throw new Error(`${most} tokens at most, a summary: ${isSummarized}`)
  }
  console.log(`${requests.length} requests, ${most} tokens at most`)
} finally {
  await provider.close()
  rmSync(home, { recursive: true, force: true })
}
