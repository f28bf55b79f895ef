import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { opencodeDatabase } from '../testing/opencode-database.ts'
import { newFolder, put } from '../testing/temporary.ts'
import { surroundingsOf } from '../find-program.ts'
import { callingSessions } from './calling-sessions.ts'
import type { Caller } from './calling-sessions.ts'

const one = 'f0000000-0000-4000-8000-000000000001'
const two = 'f0000000-0000-4000-8000-000000000002'
const started = Date.UTC(2026, 5, 1)
const before = started - 3_600_000
const after = started + 3_600_000

/** A home with two projects, and a server that was started in the first of them. */
function place(variables: Record<string, string> = {}, at = 'one') {
  const home = newFolder()
  for (const name of ['one', 'two', 'one/part', 'one/vendored'])
    mkdirSync(join(home, name), { recursive: true })
  for (const name of ['one', 'two', 'one/vendored']) mkdirSync(join(home, name, '.git'))
  let time = started
  /** What happens while it waits. */
  const waits: (() => void)[] = []
  const sessions = callingSessions({
    surroundings: surroundingsOf({ HOME: home, USERPROFILE: home, ...variables }),
    directory: join(home, at),
    now: () => (time += 300),
    wait: async () => waits.shift()?.(),
  })
  return { home, sessions, waits, dir: (name: string) => join(home, name) }
}

function claude(home: string, id: string, directory: string, at: number, said = 'Hello.'): string {
  const record = {
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    sessionId: id,
    cwd: directory,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: said },
  }
  const slug = directory.replace(/[^a-zA-Z0-9]/g, '-')
  return put(join(home, '.claude/projects', slug, `${id}.jsonl`), `${JSON.stringify(record)}\n`, at)
}

function codex(home: string, id: string, directory: string, at: number): string {
  const timestamp = '2026-01-01T00:00:00.000Z'
  const record = { timestamp, type: 'session_meta', payload: { id, timestamp, cwd: directory } }
  const name = `rollout-2026-01-01T00-00-00-${id}.jsonl`
  return put(join(home, '.codex/sessions/2026/01/01', name), `${JSON.stringify(record)}\n`, at)
}

function opencode(home: string, id: string, directory: string, updated: number, words?: string) {
  const state = { status: 'running', input: { words } }
  const part = { type: 'tool', tool: 'throughline_recall', callID: 'c', state }
  const info = { id: `msg_${id}`, sessionID: id, role: 'assistant', time: { created: 1 } }
  opencodeDatabase(join(home, '.local/share/opencode/opencode.db'), [
    {
      info: { id, directory, time: { created: 1, updated } },
      messages: [{ info, parts: words === undefined ? [] : [part] }],
    },
  ])
}

const caller = (client: string, meta: object = {}, input: unknown = {}): Caller => ({
  client,
  meta: { ...meta },
  input,
})

describe('the session of the client that started a server', () => {
  it('need not exist when the server starts', async () => {
    const { home, sessions, dir } = place({ CLAUDE_CODE_SESSION_ID: one })
    claude(home, two, dir('one'), after)
    expect(await sessions.calling(caller('claude-code'))).toBeUndefined()
    claude(home, one, dir('one'), after)
    const found = await sessions.calling(caller('claude-code'))
    expect(found?.session.id).toBe(one)
  })

  it.each([
    ['claude-code', 'CLAUDE_CODE_SESSION_ID'],
    ['qwen-cli-mcp-client-recall', 'QWEN_CODE_SESSION_ID'],
    ['copilot-cli', 'COPILOT_AGENT_SESSION_ID'],
  ])('is what its variable names, for %s', (client, variable) => {
    const { sessions } = place({ [variable]: one })
    expect(sessions.client(caller(client)).session).toBe(one)
    // A client inside another one inherits the other's variables.
    expect(sessions.client(caller('codex-mcp-client')).session).toBeUndefined()
    expect(sessions.client(caller('somebody')).harness).toBeUndefined()
  })

  it('is that of each terminal, with two in the same directory', async () => {
    for (const id of [one, two]) {
      const { home, sessions, dir } = place({ CLAUDE_CODE_SESSION_ID: id })
      claude(home, one, dir('one'), after)
      claude(home, two, dir('one'), after + 1)
      expect((await sessions.calling(caller('claude-code')))?.session.id).toBe(id)
    }
  })

  it('is the one that a call names, whatever the variables say', async () => {
    const { home, sessions, dir } = place({ CLAUDE_CODE_SESSION_ID: two })
    codex(home, one, dir('one'), before)
    codex(home, two, dir('one'), after)
    const found = await sessions.calling(caller('codex-mcp-client', { threadId: one }))
    expect(found).toMatchObject({ session: { id: one }, others: 0 })
  })

  it('is the new one after /clear, which holds the call', async () => {
    const { home, sessions, dir } = place({ CLAUDE_CODE_SESSION_ID: one })
    claude(home, one, dir('one'), after)
    claude(home, two, dir('one'), after, 'I call "toolu_0123".')
    const holds = claude(home, two, dir('one'), after, 'toolu_0123')
    expect(holds).toContain(two)
    const call = { 'claudecode/toolUseId': 'toolu_0123' }
    expect((await sessions.calling(caller('claude-code', call)))?.session.id).toBe(two)
    const other = { 'claudecode/toolUseId': 'toolu_9999' }
    expect((await sessions.calling(caller('claude-code', other)))?.session.id).toBe(one)
  })

  it('is the one that a resumed client goes on with, though the server was told of another', async () => {
    const { home, sessions, waits, dir } = place({ CLAUDE_CODE_SESSION_ID: two })
    claude(home, one, dir('one'), before, 'toolu_0001')
    const call = { 'claudecode/toolUseId': 'toolu_0123' }
    // The client writes the call down a moment after it has sent it.
    waits.push(() => void claude(home, one, dir('one'), after, 'toolu_0123'))
    const found = await sessions.calling(caller('claude-code', call))
    expect(found).toMatchObject({ session: { id: one }, others: 0 })
  })

  it('is the only one that is being written, where the call itself is nowhere', async () => {
    const call = { 'claudecode/toolUseId': 'toolu_0123' }
    const other = 'f0000000-0000-4000-8000-000000000003'
    const { home, sessions, dir } = place({ CLAUDE_CODE_SESSION_ID: two })
    claude(home, one, dir('one'), after)
    claude(home, other, dir('one'), before)
    expect((await sessions.calling(caller('claude-code', call)))?.session.id).toBe(one)
    // Of two, nobody knows which one it is.
    const again = place({ CLAUDE_CODE_SESSION_ID: two })
    claude(again.home, one, again.dir('one'), after)
    claude(again.home, other, again.dir('one'), after)
    expect(await again.sessions.calling(caller('claude-code', call))).toBeUndefined()
  })

  it('is the one that waits for this call, where the client names none', async () => {
    const { home, sessions, dir } = place()
    opencode(home, 'ses_one', dir('one'), after, 'apples')
    opencode(home, 'ses_two', dir('one'), after + 1, 'pears')
    for (const [words, id] of [
      ['apples', 'ses_one'],
      ['pears', 'ses_two'],
    ]) {
      const found = await sessions.calling(caller('opencode', {}, { words }))
      expect(found).toMatchObject({ session: { id }, others: 0 })
    }
  })

  it('is the newest of the project where nothing tells them apart, and that is said', async () => {
    const { home, sessions, dir } = place()
    codex(home, one, dir('one'), after)
    codex(home, two, dir('one/part'), after + 1)
    const found = await sessions.calling(caller('codex-mcp-client'))
    expect(found).toMatchObject({ session: { id: two }, others: 1 })
  })

  it('is found where its client writes the directory beside it', async () => {
    const { home, sessions, dir } = place()
    const folder = join(home, '.gemini/tmp')
    const header = { sessionId: one, projectHash: 'f', startTime: 'x', kind: 'main' }
    for (const name of ['one', 'two']) {
      put(join(folder, name, '.project_root'), dir(name))
      const file = `session-2026-01-01T00-00-0000000${name === 'one' ? 1 : 2}.jsonl`
      put(join(folder, name, 'chats', file), `${JSON.stringify(header)}\n`, after)
    }
    const found = await sessions.calling(caller('gemini-cli-mcp-client'))
    expect(found).toMatchObject({ session: { id: '00000001' }, others: 0 })
  })

  it('is never one of another project', async () => {
    const { home, sessions, dir } = place()
    for (const [index, name] of ['two', 'one/vendored', '', '../elsewhere'].entries())
      codex(home, `f0000000-0000-4000-8000-00000000001${index}`, dir(name), after + 1)
    expect(await sessions.calling(caller('codex-mcp-client'))).toBeUndefined()
    codex(home, one, dir('one'), before)
    const found = await sessions.calling(caller('codex-mcp-client'))
    expect(found?.session.id).toBe(one)
  })
})

describe('a session that the model names', () => {
  it('is found in the project alone', async () => {
    const { home, sessions, dir } = place()
    codex(home, one, dir('one'), before)
    codex(home, two, dir('two'), before)
    const asker = caller('codex-mcp-client')
    expect((await sessions.named(one, asker))?.id).toBe(one)
    expect((await sessions.named(`codex:${one}`, asker))?.id).toBe(one)
    for (const other of [two, 'latest', '', 'f0', '../..', `claude:${one}`])
      expect(await sessions.named(other, asker)).toBeUndefined()
  })

  it.each(['', '..'])(
    'in a directory that is no project, only what is in itself: %j',
    async (at) => {
      const { home, sessions, dir } = place({}, at)
      codex(home, one, dir('one'), before)
      expect(await sessions.named(one, caller('codex-mcp-client'))).toBeUndefined()
      codex(home, two, dir(at), before)
      expect((await sessions.named(two, caller('codex-mcp-client')))?.id).toBe(two)
    },
  )
})

it('an id is compared, and nothing else is done with it', () => {
  const { sessions } = place()
  for (const threadId of ['../../etc/passwd', 'x'.repeat(10_000), '', 7, null, {}, 'a b', '*'])
    expect(sessions.client(caller('codex', { threadId })).session).toBeUndefined()
})
