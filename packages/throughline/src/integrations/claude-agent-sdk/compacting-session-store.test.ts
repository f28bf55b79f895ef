import { expect, test } from 'vitest'
import { claudeCode } from '../../formats/claude-code/format.ts'
import { compactingSessionStore } from './index.ts'
import type { AgentSessionKey } from './compacting-session-store.ts'
import type { AgentSessionEntry } from './compacting-session-store.ts'
import { contextOf } from '../../log/context/context.ts'
import { readSession } from '../../formats/reading/read-session.ts'

const key = { projectKey: 'project', sessionId: '0b8a5b0e-0000-4000-8000-000000000001' }
const window = { context: 32_000 }

/** A store as the SDK's own for tests. */
class Memory {
  readonly lines = new Map<string, AgentSessionEntry[]>()

  async append(at: AgentSessionKey, entries: AgentSessionEntry[]): Promise<void> {
    this.lines.set(nameOf(at), [...(this.lines.get(nameOf(at)) ?? []), ...entries])
  }

  async load(at: AgentSessionKey): Promise<AgentSessionEntry[] | null> {
    return this.lines.get(nameOf(at)) ?? null
  }

  async listSubkeys(): Promise<string[]> {
    return ['subagents/agent-1']
  }
}

function nameOf({ projectKey, sessionId, subpath = '' }: AgentSessionKey): string {
  return [projectKey, sessionId, subpath].join('/')
}

function transcript(turns: number): AgentSessionEntry[] {
  let parentUuid: string | null = null
  return Array.from({ length: turns * 2 }, (_, index): AgentSessionEntry => {
    const isUser = index % 2 === 0
    const text = `${index}. ${isUser ? 'Never edit main.ts. ' : ''}${'word '.repeat(400)}`
    const uuid = `uuid-${index}`
    const entry = {
      type: isUser ? 'user' : 'assistant',
      uuid,
      parentUuid,
      sessionId: key.sessionId,
      cwd: '/work',
      version: '2.1.330',
      timestamp: new Date(index).toISOString(),
      message: isUser
        ? { role: 'user', content: text }
        : { role: 'assistant', id: `msg_${index}`, content: [{ type: 'text', text }] },
    }
    parentUuid = uuid
    return entry
  })
}

test('a session that fits is resumed as it is', async () => {
  const memory = new Memory()
  const store = compactingSessionStore(memory, { window, now: () => 1 })
  expect(await store.load(key)).toBeNull()
  await store.append(key, transcript(3))
  expect(await store.load(key)).toEqual(transcript(3))
  expect(await store.listSubkeys()).toEqual(['subagents/agent-1'])
})

test('a session that does not fit is resumed compacted, and keeps each of its lines', async () => {
  const memory = new Memory()
  const store = compactingSessionStore(memory, { window, now: () => 1 })
  const long = transcript(60)
  await store.append(key, long)
  const loaded = (await store.load(key)) ?? []
  expect(loaded.slice(0, long.length)).toEqual(long)
  const boundary = loaded[long.length]
  expect(boundary).toMatchObject({ subtype: 'compact_boundary', parentUuid: null })
  expect(loaded[long.length + 1]).toMatchObject({ isCompactSummary: true })
  const text = loaded.map((entry) => JSON.stringify(entry)).join('\n')
  const { log } = await readSession(text, { formats: [claudeCode] })
  const context = JSON.stringify(contextOf(log).items)
  expect(context).toContain('Never edit main.ts.')
  expect(context.length / 4).toBeLessThan(window.context)
  // It is compacted once.
  expect(await store.load(key)).toEqual(loaded)
  expect(memory.lines.get(nameOf(key))).toEqual(loaded)
})

test('the transcript of a subagent stays as it is', async () => {
  const store = compactingSessionStore(new Memory(), { window })
  const at = { ...key, subpath: 'subagents/agent-1' }
  await store.append(at, transcript(60))
  expect(await store.load(at)).toEqual(transcript(60))
})
