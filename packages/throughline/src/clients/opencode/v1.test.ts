import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { changeClientSettings } from '../settings.ts'
import { fieldsOf, listOf } from '../../json/fields.ts'
import { openClientStore } from '../client-store.ts'
import { openHooks } from './v1.ts'
import { readClientRecords } from '../record.ts'
import type { OpencodeMessage } from './messages.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-opencode-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0

/** opencode as a plugin sees it, with one session. */
async function host({ version = '1.18.33', more = {} as Record<string, string> } = {}) {
  const env = {
    XDG_DATA_HOME: join(root, `${folders++}`),
    THROUGHLINE_LOCAL: '1',
    ...more,
  }
  const kept: OpencodeMessage[] = []
  const model = { id: 'm', limit: { context: 40_000, output: 13_000 } }
  const api = {
    config: {
      providers: async () => ({ data: { providers: [{ id: 'p', models: { m: model } }] } }),
    },
    session: {
      create: async () => ({ data: { id: 'ses_child' } }),
      delete: async () => ({}),
      messages: async (): Promise<{ data: OpencodeMessage[] }> => ({ data: structuredClone(kept) }),
      prompt: async () => ({ data: {} }),
    },
    _client: { get: async () => ({ data: { version } }) },
  }
  const open = () => openHooks({ client: api, directory: '/work' }, env)
  return { env, kept, api, open, hooks: await open() }
}

const words = 'word '.repeat(1_500)

function user(id: string, text: string): OpencodeMessage {
  const info = { id, role: 'user', sessionID: 'ses_1', model: { providerID: 'p', modelID: 'm' } }
  return { info, parts: [{ id: `${id}p`, sessionID: 'ses_1', messageID: id, type: 'text', text }] }
}

function step(id: string): OpencodeMessage {
  const info = { id, role: 'assistant', sessionID: 'ses_1', modelID: 'm', finish: 'tool-calls' }
  const state = { status: 'completed', input: { filePath: id }, output: `${id} ${words}` }
  return {
    info,
    parts: [
      { type: 'text', text: `I read ${id}. ${words}` },
      { type: 'tool', tool: 'read', callID: `call_${id}`, state },
    ],
  }
}

function session(steps: number): OpencodeMessage[] {
  return [
    user('u', 'Read everything. Never write a file.'),
    ...Array.from({ length: steps }, (_, index) => step(`a${index}`)),
  ]
}

type Hooks = Awaited<ReturnType<typeof openHooks>>

async function sent(hooks: Hooks, messages: OpencodeMessage[]): Promise<OpencodeMessage[]> {
  const output = { messages: [...messages] }
  await hooks['experimental.chat.messages.transform']({}, output)
  return output.messages
}

function textIn(messages: readonly OpencodeMessage[]): string {
  return messages.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))).join('\n')
}

describe('in opencode', () => {
  test('a session that fits is opencode’s own objects, untouched', async () => {
    const { hooks } = await host()
    const messages = session(3)
    expect(await sent(hooks, messages)).toEqual(messages)
    expect((await sent(hooks, messages)).every((each, at) => each === messages[at])).toBe(true)
  })

  test('one that does not fit is compacted, with the request and the rule word for word', async () => {
    const { hooks, env } = await host()
    const shown = await sent(hooks, session(14))
    expect(shown.length).toBeLessThan(14)
    expect(textIn(shown)).toContain('Read everything. Never write a file.')
    expect(readClientRecords('opencode', env)).toMatchObject([
      { event: 'start', version: '1.18.33' },
      { event: 'compaction', session: 'ses_1', by: 'local' },
    ])
    const again = await sent(hooks, session(15))
    expect(textIn(again.slice(0, -1))).toBe(textIn(shown))
  })

  test('one that is due soon is compacted where the cache is cold, and the record says why', async () => {
    const { hooks, env } = await host()
    const answered = session(10)
    for (const { info } of answered) Object.assign(info, { time: { created: 1, completed: 2 } })
    const shown = await sent(hooks, answered)
    expect(textIn(shown).length).toBeLessThan(textIn(answered).length * 0.75)
    expect(readClientRecords('opencode', env)).toMatchObject([
      { event: 'start' },
      { event: 'compaction', by: 'local', early: 'gap' },
    ])
  })

  test('another process goes on with the same compaction', async () => {
    const { hooks, open, env } = await host()
    const shown = await sent(hooks, session(14))
    const other = await open()
    expect(textIn(await sent(other, session(14)))).toBe(textIn(shown))
    const done = readClientRecords('opencode', env).filter(({ event }) => event === 'compaction')
    expect(done).toHaveLength(1)
  })

  test('one refusal is enough: the limit that it names holds from then on, in other processes too', async () => {
    const { hooks, open, env } = await host()
    const messages = session(6)
    expect(await sent(hooks, messages)).toEqual(messages)
    const message = 'prompt is too long: 20001 tokens > 20000 maximum'
    const error = { name: 'ContextOverflowError', data: { message } }
    const properties = { sessionID: 'ses_1', error }
    await hooks.event({ event: { type: 'session.error', properties } })
    const shown = await sent(hooks, messages)
    expect(textIn(shown).length).toBeLessThan(textIn(messages).length * 0.75)
    const other = await open()
    expect(textIn(await sent(other, messages))).toBe(textIn(shown))
    expect(textIn(await sent(other, session(12))).length).toBeLessThan(textIn(messages).length)
    const done = readClientRecords('opencode', env).filter(({ event }) => event === 'compaction')
    expect(done).toHaveLength(2)
  })

  test('what is no refusal of the session’s own request teaches no limit', async () => {
    const { hooks, kept, env } = await host()
    const messages = session(6)
    await sent(hooks, messages)
    const tell = (sessionID: string | undefined, message: string) =>
      hooks.event({
        event: { type: 'session.error', properties: { sessionID, error: { data: { message } } } },
      })
    const tooLong = 'prompt is too long: 20001 tokens > 20000 maximum'
    await tell(undefined, tooLong)
    await tell('ses_other', tooLong)
    await tell('ses_1', 'The server is overloaded.')
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } })
    expect(await sent(hooks, messages)).toEqual(messages)
    // opencode's own request for a summary, perhaps of another model.
    kept.push(...messages)
    await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, {})
    await tell('ses_1', tooLong)
    const { store } = openClientStore('opencode', env)
    const noted = await store.read('ses_1', { kinds: ['observation'] })
    expect(noted.map((entry) => 'observation' in entry && entry.observation.type)).not.toContain(
      'limit',
    )
  })

  test('what was left out is recalled', async () => {
    const { hooks } = await host()
    await sent(hooks, session(14))
    const { recall } = hooks.tool
    const reply = await recall?.execute({ path: 'a1' }, { sessionID: 'ses_1' })
    expect(reply).toContain('a1 word word')
  })

  test('opencode’s own compaction says what ours says, and is not done twice', async () => {
    const { hooks, kept, env } = await host()
    const marker = user('m', '')
    marker.parts.splice(0, 1, { type: 'compaction', auto: false })
    kept.push(...session(6), marker)
    const asked: { prompt?: string } = {}
    await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, asked)
    expect(asked.prompt).toMatch(/^Answer with the word OK/)
    expect(await sent(hooks, session(5))).toEqual([])
    const written = { text: 'OK' }
    const where = { sessionID: 'ses_1', messageID: 's' }
    await hooks['experimental.text.complete'](where, written)
    expect(written.text).toMatch(/^<prior-conversation-summary>/)
    const summary: OpencodeMessage = {
      info: {
        id: 's',
        role: 'assistant',
        sessionID: 'ses_1',
        parentID: 'm',
        summary: true,
        finish: 'stop',
      },
      parts: [{ type: 'text', text: written.text }],
    }
    kept.push(summary, user('n', 'Go on.'))
    const shown = await sent(hooks, [marker, summary, user('n', 'Go on.')])
    expect(textIn(shown).match(/<prior-conversation-summary>/g)).toHaveLength(1)
    expect(textIn(shown)).toContain('Go on.')
    const done = readClientRecords('opencode', env).filter(({ event }) => event === 'compaction')
    expect(done).toHaveLength(1)
  })

  test('a request that opencode’s own compaction interrupts is answered, and what is done is not', async () => {
    const went = async (last: OpencodeMessage): Promise<boolean> => {
      const { hooks, kept } = await host()
      const marker = user('m', '')
      marker.parts.splice(0, 1, { type: 'compaction', auto: true })
      kept.push(...session(6), last, marker)
      await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, {})
      // The head that opencode gives is of a model that is no longer there.
      const old = user('u', 'Read everything.')
      const model = { providerID: 'gone', modelID: 'gone' }
      const head = [{ ...old, info: { ...old.info, model } }, step('a0')]
      expect(await sent(hooks, head)).toEqual([])
      await hooks['experimental.text.complete'](
        { sessionID: 'ses_1', messageID: 's' },
        { text: 'OK' },
      )
      const output = { enabled: true }
      await hooks['experimental.compaction.autocontinue']({ sessionID: 'ses_1' }, output)
      return output.enabled
    }
    const { info } = step('z')
    const parts = [{ type: 'text', text: 'All is done.' }]
    expect(await went({ info: { ...info, finish: 'stop' }, parts })).toBe(false)
    expect(await went(user('n', 'Go on with the rest.'))).toBe(true)
  })
})

describe('it steps aside', () => {
  const long = session(14)

  test('where it is off, and says so', async () => {
    const { hooks, env } = await host()
    changeClientSettings('opencode', env, { off: true })
    expect(await sent(hooks, long)).toEqual(long)
    expect(readClientRecords('opencode', env).at(-1)).toMatchObject({ event: 'step-aside' })
  })

  test('in an opencode that is not known', async () => {
    const { hooks, env } = await host({ version: '3.0.0' })
    expect(await sent(hooks, long)).toEqual(long)
    expect(readClientRecords('opencode', env).at(-1)?.reason).toBe('opencode 3.0.0 is not known')
  })

  test('beside another plugin that rewrites the context', async () => {
    const { hooks, env } = await host()
    await hooks.config({ plugin: ['@tarquinen/opencode-dcp@3.1.14'] })
    expect(hooks.tool).toEqual({})
    expect(await sent(hooks, long)).toEqual(long)
    expect(readClientRecords('opencode', env)).toMatchObject([
      { event: 'start' },
      { event: 'step-aside', reason: 'DCP is installed, too' },
    ])
  })

  test('where something fails: the messages are as they were, and a line says why', async () => {
    const { hooks, env, api } = await host()
    api.session.messages = async () => {
      throw new Error('the server is gone')
    }
    const marker = user('m', '')
    marker.parts.splice(0, 1, { type: 'compaction', auto: false })
    expect(await sent(hooks, [marker, ...long])).toEqual([marker, ...long])
    expect(readClientRecords('opencode', env).at(-1)).toMatchObject({
      event: 'error',
      reason: 'the server is gone',
    })
  })

  test('where no window is known, and says so once', async () => {
    const { hooks, env } = await host()
    const odd = [user('u', 'Go.')]
    odd[0] = { info: { id: 'u', role: 'user', sessionID: 'ses_1' }, parts: odd[0]?.parts ?? [] }
    expect(await sent(hooks, odd)).toEqual(odd)
    await sent(hooks, odd)
    const aside = readClientRecords('opencode', env).filter(({ event }) => event === 'step-aside')
    expect(aside).toMatchObject([{ reason: 'the window of its model is not known' }])
  })

  test('where what is sent does not become smaller, twice', async () => {
    const { hooks, env } = await host()
    const messages = session(14)
    const tokens = { input: 80_000, output: 10 }
    for (let round = 0; round < 4; round++) {
      await sent(hooks, messages)
      // The usage that opencode reports says that it sent everything.
      for (let more = 0; more < 6; more++) {
        const next = step(`b${round}${more}`)
        messages.push({ ...next, info: { ...next.info, tokens } })
      }
    }
    const last = await sent(hooks, messages)
    expect(last).toEqual(messages)
    expect(readClientRecords('opencode', env).at(-1)).toMatchObject({ event: 'step-aside' })
  })
})

test('opencode’s configuration keeps what it had, and gets a command', async () => {
  const { hooks } = await host()
  const config: Record<string, unknown> = { command: { mine: { template: 'x' } }, plugin: [] }
  await hooks.config(config)
  expect(Object.keys(fieldsOf(config['command']) ?? {})).toEqual(['mine', 'throughline'])
  expect(listOf(config['plugin'])).toEqual([])
})
