import { closeSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { harnesses } from '../../formats/harnesses.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import { samples } from '../../formats/testing/samples.ts'
import { opencodeExport, opencodeMessages } from '../../formats/opencode/sample.ts'
import { readFound } from '../read-found.ts'
import { findSessions } from '../find/find-sessions.ts'
import { surroundingsOf } from '../find-program.ts'
import { newFolder, put } from '../testing/temporary.ts'
import { opencodeDatabase } from '../testing/opencode-database.ts'
import { previewSession } from './preview-session.ts'
import type { FoundSession } from '../found-session.ts'

type Exported = Parameters<typeof opencodeDatabase>[1][number]

function found(name: string, file: string, bytes = 0): FoundSession {
  const harness = harnesses.find((each) => each.name === name)
  if (!harness) throw new Error(`no harness ${name}`)
  return { type: 'file', harness, id: 's', at: 1, file, bytes }
}

/** A session of Claude Code that is large in the middle. */
function records(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const asked = {
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's-1',
  cwd: '/code/app',
  message: { role: 'user', content: 'Make it work.\nPlease.' },
}

function reply(index: number, usage: object | undefined, text = 'I work on it. '.repeat(100)) {
  const message = { id: `m${index}`, role: 'assistant', model: 'claude-opus-4-5' }
  return {
    type: 'assistant',
    uuid: `a${index}`,
    parentUuid: index === 0 ? 'u1' : `a${index - 1}`,
    message: { ...message, content: [{ type: 'text', text }], ...(usage && { usage }) },
  }
}

describe('glanceAt', () => {
  it.each(samples.filter(({ format }) => harnesses.some(({ name }) => name === format.name)))(
    'sees all of a short session: $name',
    async ({ format, records: lines }) => {
      const file = put(join(newFolder(), 'session'), records(lines as object[]))
      const preview = await previewSession(found(format.name, file))
      const { log, facts } = await readSession(readFound(found(format.name, file)))
      expect(preview.entries).toBe(log.length)
      expect(preview).toMatchObject({ directory: facts.directory, model: facts.model })
      expect(preview.tokens?.count).toBeGreaterThan(0)
    },
  )

  it('takes the size of a long one from its newest usage', async () => {
    const lines: object[] = [asked]
    for (let index = 0; index < 2000; index++) {
      lines.push(reply(index, { input_tokens: 1000 + index * 50, output_tokens: 600 }))
    }
    const file = put(join(newFolder(), 'session.jsonl'), records(lines))
    expect(await previewSession(found('claude-code', file))).toEqual({
      id: 's-1',
      title: 'Make it work.\nPlease.',
      directory: '/code/app',
      model: 'claude-opus-4-5',
      window: 200_000,
      tokens: { count: 1000 + 1999 * 50 + 600, from: 'usage' },
      bytes: statSync(file).size,
      entries: undefined,
    })
  })

  it('estimates it from its end where nobody counted, or the count cannot be true', async () => {
    for (const usage of [undefined, { input_tokens: 0, output_tokens: 0 }]) {
      const lines: object[] = [asked]
      for (let index = 0; index < 2000; index++) lines.push(reply(index, usage))
      const file = put(join(newFolder(), 'session.jsonl'), records(lines))
      const { tokens } = await previewSession(found('claude-code', file))
      const { log } = await readSession(readFound(found('claude-code', file)))
      expect(log.length).toBe(2001)
      expect(tokens?.from).toBe('estimate')
      // 2,001 messages of some 500 tokens each by the ratio of Claude.
      expect(tokens?.count).toBeGreaterThan(700_000)
      expect(tokens?.count).toBeLessThan(1_400_000)
    }
  })

  it('knows where the human went back to, however far that is', async () => {
    const lines: object[] = [asked]
    for (let index = 0; index < 2000; index++) {
      lines.push(reply(index, { input_tokens: 1000 + index * 50, output_tokens: 600 }))
    }
    const content = 'Another way.'
    const back = { ...asked, uuid: 'u2', parentUuid: 'a3', message: { role: 'user', content } }
    const file = put(join(newFolder(), 'session.jsonl'), records([...lines, back]))
    const unanswered = await previewSession(found('claude-code', file))
    expect(unanswered).toMatchObject({ title: 'Make it work.\nPlease.', tokens: undefined })
    const usage = { input_tokens: 1300, output_tokens: 500 }
    const answered = [...lines, back, { ...reply(2001, usage), parentUuid: 'u2' }]
    put(file, records(answered))
    const { tokens } = await previewSession(found('claude-code', file))
    expect(tokens).toEqual({ count: 1800, from: 'usage' })
  })

  it('reads the ends alone of a file that fits no memory', async () => {
    const file = join(newFolder(), 'session.jsonl')
    const descriptor = openSync(file, 'w')
    const size = 6 * 1024 ** 3
    ftruncateSync(descriptor, size)
    writeSync(descriptor, records([asked, reply(0, undefined, 'I work. '.repeat(20_000))]), 0)
    const end = `\n${records([reply(1, { input_tokens: 5000, output_tokens: 600 })])}`
    writeSync(descriptor, end, size - end.length)
    closeSync(descriptor)
    expect(await previewSession(found('claude-code', file))).toMatchObject({
      title: 'Make it work.\nPlease.',
      tokens: { count: 5600, from: 'usage' },
    })
  })

  it('says which file it cannot read', async () => {
    const folder = newFolder()
    const missing = join(folder, 'missing.jsonl')
    const other = put(join(folder, 'other.jsonl'), 'no session\n')
    for (const file of [missing, other]) {
      await expect(previewSession(found('claude-code', file))).rejects.toMatchObject({
        code: 'UNREADABLE_SESSION',
        file,
        message: expect.stringContaining(file),
      })
    }
  })
})

describe('a session in opencode’s database', () => {
  async function inDatabase(exported: Exported): Promise<FoundSession> {
    const home = newFolder()
    opencodeDatabase(join(home, '.local/share/opencode/opencode.db'), [exported])
    const [session] = (await findSessions(surroundingsOf({ HOME: home }))).sessions
    if (!session) throw new Error('not found')
    return session
  }

  it('is read as its export is', async () => {
    const [sample] = opencodeExport as unknown as [Exported]
    const messages = sample.messages.map(({ info, parts }) => ({
      info,
      parts: parts.map((part) => ({ ...part, messageID: (info as { id: string }).id })),
    }))
    const exported = { ...sample, info: { ...sample.info, title: 'T' }, messages }
    const session = await inDatabase(exported)
    const read = await readSession(readFound(session))
    const other = await readSession([JSON.stringify(exported)])
    expect(read.log).toEqual(other.log)
    expect(read.facts).toEqual(other.facts)
  })

  it('is looked at by its first and its newest messages', async () => {
    const [first, ...others] = opencodeMessages as unknown as Exported['messages']
    if (!first) throw new Error('no message')
    const tokens = { input: 90_000, output: 2_000, reasoning: 0, cache: { read: 0, write: 0 } }
    const many = Array.from({ length: 60 }, (_, index) => ({
      info: { ...others[0]?.info, tokens, id: `msg_x${index}`, time: { created: index } },
      parts: [{ type: 'text', text: `Step ${index}. ${'It goes on. '.repeat(500)}` }],
    }))
    const session = await inDatabase({
      info: { id: 'ses_1', directory: '/code', time: { created: 1, updated: 9 } },
      messages: [first, ...many],
    })
    expect(await previewSession(session)).toMatchObject({
      id: 'ses_1',
      title: expect.stringMatching(/^Read it\./),
      directory: '/code',
      model: 'gpt-x',
      tokens: { count: 92_000, from: 'usage' },
      bytes: expect.toSatisfy((bytes) => bytes > 60 * 6000 && bytes < 60 * 7000),
      entries: undefined,
    })
  })

  it('is read without a row that is damaged, which is counted', async () => {
    const [first] = opencodeMessages as unknown as Exported['messages']
    if (!first) throw new Error('no message')
    const session = await inDatabase({ info: { id: 'ses_1' }, messages: [first] })
    const { nodeSqlite } = await import('../../stores/sqlite/connection/node-sqlite.ts')
    const database = new (nodeSqlite().DatabaseSync)(session.file)
    database.exec("INSERT INTO message VALUES ('msg_bad', 'ses_1', 9, 9, '{torn')")
    database.close()
    const { log, facts } = await readSession(readFound(session))
    expect(log.length).toBeGreaterThan(0)
    expect(facts.omitted).toEqual({ damaged: 1 })
  })
})
