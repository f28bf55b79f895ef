import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { askedIn, noteAsked } from './asked.ts'
import { askedTools } from './asked-tools.ts'
import { claudeSession } from '../cli/testing/claude-session.ts'
import { openCompaction } from './claude-code/answer.ts'
import { memoryStore } from '../stores/memory.ts'
import { readSession } from '../formats/reading/read-session.ts'
import { runHook } from './hooks/hook-process.ts'

const takes = { before: 9_500, after: 9_800 }
const root = mkdtempSync(join(tmpdir(), 'throughline-asked-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const client = 'claude-code'
const env = { HOME: root, XDG_DATA_HOME: root }

async function served(turns: number, window?: number) {
  const file = join(root, `${turns}.jsonl`)
  writeFileSync(file, claudeSession({ turns, steps: 6 }))
  const store = memoryStore()
  const { log } = await readSession(createReadStream(file) as AsyncIterable<Uint8Array>)
  await store.append('session', log)
  const tools = new Map(askedTools(client, env, () => 7).map((tool) => [tool.name, tool]))
  const own = `own-${turns}`
  const call = (name: string, input: object) =>
    tools
      .get(name)
      ?.reply({ store, session: 'session', own, ...(window !== undefined && { window }) }, input)
  const input = { session_id: own, transcript_path: file, cwd: '/w' }
  const hook = (event: string) =>
    runHook(
      { name: client, recallTool: 'recall', before: 'text', takes },
      { env, input: JSON.stringify({ ...input, hook_event_name: event }), now: () => 8 },
    )
  return { call, hook, own, file, log }
}

describe('what an agent asks for over MCP', () => {
  test('is kept for its session, and told before and after the next compaction', async () => {
    const { call, hook, own } = await served(12)
    expect(await call('pin', { text: 'The port is 8080.' })).toEqual({ text: 'Pinned.' })
    await call('pin', { text: 'The port is 8080.' })
    expect(askedIn(client, env, { session: own }).pins).toEqual([
      'Noted by the agent: The port is 8080.',
    ])
    expect(askedIn(client, env, { session: 'other' }).pins).toEqual([])
    expect(await hook('PreCompact')).toContain('- The port is 8080.')
    expect(await hook('SessionStart')).toContain('- The port is 8080.')
  })

  test('is measured by the window that the client recorded, where its model is not known', async () => {
    const usual = await served(12)
    expect(await usual.call('compact', {})).toEqual({
      error: expect.stringContaining('Not needed'),
    })
    const small = await served(12, 16_000)
    expect(await small.call('compact', {})).toEqual({ text: expect.stringMatching(/^Requested/) })
  })

  test('stands in the context that takes the place of Claude Code’s', async () => {
    const { log } = await served(13)
    const question = {
      ask: 'compact' as const,
      session: 's',
      version: '2.1.330',
      directory: '/w',
      window: 100_000,
      handles: log.flatMap((entry) =>
        'metadata' in entry
          ? ((entry.metadata?.['source'] as { records?: string[] } | undefined)?.records ?? [])
          : [],
      ),
    }
    const asked = { pins: ['Noted by the agent: The port is 8080.'], keep: 'x = 1' }
    const read = { log, facts: {} }
    const done = await openCompaction(read, question, asked).made(undefined)
    expect(JSON.stringify(done)).toContain('Noted by the agent: The port is 8080.')
    expect(JSON.stringify(done)).toContain('Noted by the agent: x = 1')
  })

  test('is refused in one sentence where a compaction would gain little', async () => {
    const { call, own } = await served(2)
    expect(await call('compact', {})).toMatchObject({
      error: expect.stringMatching(/^Not needed: [^\n]*\.$/),
    })
    expect(askedIn(client, env, { session: own }).focus).toBeUndefined()
  })

  test('counts until the next compaction, and pins for good', async () => {
    const { own } = await served(3)
    noteAsked(client, env, { at: 5, session: own, pin: 'a' })
    noteAsked(client, env, { at: 6, session: own, compact: { focus: 'the parser', keep: 'b' } })
    expect(askedIn(client, env, { session: own, since: 5 })).toEqual({
      pins: ['Noted by the agent: a'],
      focus: 'the parser',
      keep: 'b',
    })
    expect(askedIn(client, env, { session: own, since: 7 })).toEqual({
      pins: ['Noted by the agent: a'],
    })
  })
})
