import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { runMain } from '../../testing/run-main.ts'
import { compactsAt } from './payload.ts'

const id = 'f0000000-0000-4000-8000-000000000001'
const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 1_000,
  cache_read_input_tokens: 98_000,
  output_tokens: 990,
}

/** What Claude Code passes for a session, and the line that is printed. */
async function line(transcript: string, more: object = {}, env: Record<string, string> = {}) {
  const payload = {
    hook_event_name: 'Status',
    session_id: id,
    transcript_path: transcript,
    model: { id: 'claude-opus-4-5-20251101', display_name: 'Opus' },
    cost: { total_cost_usd: 1.234 },
    context_window: { context_window_size: 200_000, current_usage: usage },
    ...more,
  }
  const input = JSON.stringify(payload)
  const { code, out, err } = await runMain(['statusline'], {
    input,
    env: { NO_COLOR: '1', ...env },
  })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

function transcript(...records: object[]): string {
  const { put } = harnessHome()
  const file = put('claude-code', id, claudeSession({ turns: 1 }))
  for (const record of records) appendFileSync(file, `${JSON.stringify(record)}\n`)
  return file
}

const boundary = {
  type: 'system',
  subtype: 'compact_boundary',
  timestamp: '2026-02-14T12:36:36.665Z',
  compactMetadata: { trigger: 'auto', preTokens: 155_144 },
}

function answer(tokens: number, more: object = {}): object {
  const message = { role: 'assistant', model: 'claude-opus-4-5', usage: { input_tokens: tokens } }
  return { type: 'assistant', isSidechain: false, message, ...more }
}

describe('statusline', () => {
  it('shows the real usage, what is left until Claude Code compacts, and the cost', async () => {
    expect(await line(transcript())).toBe('▰▰▰▰▰▱▱▱▱▱ 50% of 200k · 67k to compaction · $1.23\n')
  })

  it('takes the usage from the session where the client passes none', async () => {
    const context_window = { context_window_size: 200_000, current_usage: null }
    const file = transcript(answer(20_000), answer(60_000), answer(9, { isSidechain: true }))
    expect(await line(file, { context_window })).toContain(' 30% of 200k')
  })

  it('shows the newest compaction, and no usage of before', async () => {
    const context_window = { context_window_size: 200_000, current_usage: null }
    const after = await line(transcript(answer(155_144), boundary), { context_window })
    expect(after).toBe('just compacted, of 200k · $1.23 · compacted 2026-02-14 from 155k\n')
    const later = await line(transcript(answer(155_144), boundary, answer(40_000)), {
      context_window,
    })
    expect(later).toContain(' 20% of 200k')
  })

  it('takes no text that quotes a compaction for one', async () => {
    const quoted = { type: 'user', message: { role: 'user', content: JSON.stringify(boundary) } }
    expect(await line(transcript(quoted))).not.toContain('compacted')
  })

  it('finds a compaction far before the end of a long session', async () => {
    const long = { type: 'user', message: { role: 'user', content: 'x'.repeat(2_000_000) } }
    expect(await line(transcript(boundary, long))).toContain('from 155k')
  })

  it('follows Claude Code’s settings', () => {
    expect(compactsAt(200_000, true, {})).toBe(167_000)
    expect(compactsAt(200_000, true, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' })).toBe(90_000)
    expect(compactsAt(1_000_000, true, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' })).toBe(167_000)
    expect(compactsAt(200_000, true, { DISABLE_AUTO_COMPACT: '1' })).toBeUndefined()
    expect(compactsAt(200_000, false, {})).toBe(180_000)
    expect(compactsAt(8_000, false, {})).toBe(6_000)
  })

  it('reads what other clients pass', async () => {
    const context_window = { context_window_size: 1_000_000, used_percentage: 91 }
    const input = JSON.stringify({ model: { display_name: 'Qwen' }, context_window })
    const { out } = await runMain(['statusline'], { input, env: { NO_COLOR: '1' } })
    expect(out).toBe('▰▰▰▰▰▰▰▰▰▱ 91% of 1m · 70k to compaction\n')
  })

  it('is coloured by how near the compaction is', async () => {
    const coloured = async (tokens: number): Promise<string> => {
      const current_usage = { input_tokens: tokens }
      const context_window = { context_window_size: 200_000, current_usage }
      return line(transcript(), { context_window }, { NO_COLOR: '' })
    }
    expect(await coloured(20_000)).toContain('\u001b[32m')
    expect(await coloured(130_000)).toContain('\u001b[33m')
    expect(await coloured(160_000)).toContain('\u001b[31m')
  })

  it('prints something for whatever a client passes', async () => {
    expect(await line('/none')).toContain('50% of 200k')
    const { code, out } = await runMain(['statusline'], { input: '{}' })
    expect({ code, out }).toEqual({ code: 0, out: 'no answer yet\n' })
  })

  it('says what it reads where it gets nothing', async () => {
    for (const input of ['', 'x', '[]']) {
      const { code, out, err } = await runMain(['statusline'], { input })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain('reads the JSON object')
    }
  })
})
