import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import plugin from '../plugin.ts'
import { Asset, fakeHost } from './fake-host.ts'
import { changeClientSettings } from '../../settings.ts'
import { readClientRecords } from '../../record.ts'
import { setup } from './setup.ts'
import type { V2Message } from './host.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-opencode-2-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const newEnv = () => ({ XDG_DATA_HOME: join(root, `${folders++}`), THROUGHLINE_LOCAL: '1' })

function started(options: Parameters<typeof fakeHost>[0] = {}, env = newEnv()) {
  const host = fakeHost(options)
  const close = setup(host.context, env as never)
  const events = () => readClientRecords('opencode', env).map(({ event }) => event)
  return { ...host, env, close, events }
}

const user = (id: string, text: string, more: V2Message['content'] = []): V2Message => ({
  role: 'user',
  id,
  content: [{ type: 'text', text }, ...more],
})

function steps(from: number, to: number): V2Message[] {
  return Array.from({ length: to - from }, (_, index): V2Message[] => {
    const at = from + index
    const id = `call_${at}`
    const text = Array.from({ length: 150 }, (__, n) => `Step ${at} says ${n * at}.`).join(' ')
    const failed = at % 3 === 0
    const result = { type: failed ? 'error' : 'text', value: text }
    return [
      {
        role: 'assistant',
        id: `msg_${at}`,
        content: [
          {
            type: 'reasoning',
            text: `I think of ${at}.`,
            providerMetadata: { a: { signature: 's' } },
          },
          { type: 'text', text: `I read ${at}. ${text}` },
          { type: 'tool-call', id, name: 'read', input: { path: `${at}.ts` } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', id, name: 'read', result }] },
    ]
  }).flat()
}

const textOf = (messages: readonly V2Message[]): string => JSON.stringify(messages)
const rule = 'Never write a file.'

describe('in opencode 2', () => {
  test('one file serves both generations, and does nothing where it is given less', () => {
    expect(plugin).toMatchObject({ id: 'throughline' })
    expect(typeof plugin.server).toBe('function')
    expect(plugin.setup({})).toBeUndefined()
    expect(plugin.setup({ session: {} })).toBeUndefined()
  })

  test('a request that fits is opencode’s own objects, with its own limit', async () => {
    const { rows, sent } = started()
    rows.push(user('msg_u', `Read all. ${rule}`), ...steps(1, 4))
    const { messages, options } = await sent()
    expect(messages.every((each, at) => each === rows[at])).toBe(true)
    expect(options?.maxTokens).toBe(1_024)
  })

  test('a request that grows too large carries our context, again and again, and stays legal', async () => {
    const { rows, sent, events } = started()
    const shot = new Asset('image/png')
    rows.push(user('msg_u', `Read all. ${rule}`, [{ type: 'media', media: shot }]))
    const sizes: number[] = []
    for (let at = 1; at < 60; at++) {
      rows.push(...steps(at, at + 1))
      const { messages, options } = await sent()
      sizes.push(textOf(messages).length)
      expect(textOf(messages)).toContain(rule)
      if (messages[0] !== rows[0]) expect(options?.maxTokens).toBeUndefined()
    }
    expect(Math.max(...sizes)).toBeLessThan(160_000)
    expect(events().filter((event) => event === 'compaction').length).toBeGreaterThan(2)
    expect(events()).not.toContain('error')
  })

  test('between two compactions a request only grows at its end', async () => {
    const { rows, sent, events } = started()
    rows.push(user('msg_u', `Read all. ${rule}`))
    let before: V2Message[] = []
    let broken = 0
    for (let at = 1; at < 40; at++) {
      rows.push(...steps(at, at + 1))
      const { messages } = await sent()
      if (textOf(messages.slice(0, before.length)) !== textOf(before)) broken += 1
      before = messages
    }
    expect(broken).toBe(events().filter((event) => event === 'compaction').length)
  })

  test('its own compaction gets our summary, and goes on behind it', async () => {
    const { rows, sent, compacts, events } = started({ window: 200_000 })
    rows.push(user('msg_u', `Read all. ${rule}`), ...steps(1, 20))
    await sent()
    const { result } = await compacts()
    expect(result).toMatchObject({ recent: '' })
    expect(result?.summary).toContain(rule)
    rows.push(user('msg_v', 'And now the rest.'), ...steps(20, 22))
    const { messages } = await sent()
    expect(textOf(messages)).toContain(rule)
    expect(textOf(messages)).toContain('And now the rest.')
    await compacts()
    rows.push(user('msg_w', 'Go on.'))
    expect(textOf((await sent()).messages)).toContain(rule)
    expect(events()).toEqual(['start', 'compaction', 'compaction'])
  })

  test('what opencode has compacted by itself is carried on', async () => {
    const first = fakeHost()
    first.rows.push(user('msg_u', 'Read all.'))
    await first.compacts()
    const { rows, sent } = started()
    rows.push(...first.rows, user('msg_v', rule))
    for (let at = 1; at < 30; at++) {
      rows.push(...steps(at, at + 1))
      expect(textOf((await sent()).messages)).toContain('Go on.')
    }
  })

  test('its agent reads back what was cut, and asks for a compaction', async () => {
    const { rows, sent, tools } = started()
    const call = (name: string, input: object) =>
      tools.get(name)?.execute(input, { sessionID: 'ses_1' })
    rows.push(user('msg_u', `Read all. ${rule}`), ...steps(1, 30))
    await sent()
    expect([...tools.values()].every(({ options }) => !options.codemode)).toBe(true)
    expect((await call('recall', { path: '2.ts' }))?.content).toContain('Step 2 says 2')
    expect((await call('pin', { text: 'x = 1' }))?.content).toBe('Pinned.')
    expect((await call('compact', {}))?.content).toMatch(/^Not /)
  })

  test('what an earlier process has compacted is not compacted again', async () => {
    const env = newEnv()
    const { rows, sent, close } = started({}, env)
    rows.push(user('msg_u', `Read all. ${rule}`), ...steps(1, 30))
    const before = (await sent()).messages
    await close?.()
    const again = started({}, env)
    again.rows.push(...rows)
    expect(textOf((await again.sent()).messages)).toBe(textOf(before))
    expect(again.events()).toEqual(['start', 'compaction', 'start'])
  })

  test.each([
    ['it is off', {}, { off: true }, 'it is switched off'],
    ['its version is not known', { version: '3.0.0' }, {}, 'opencode 3.0.0 is not known'],
  ])('it steps aside where %s, and says so once', async (_, options, settings, reason) => {
    const env = newEnv()
    changeClientSettings('opencode', env, settings)
    const { rows, sent } = started(options, env)
    rows.push(user('msg_u', 'Read all.'), ...steps(1, 60))
    for (let round = 0; round < 3; round++) expect((await sent()).messages).toEqual(rows)
    const asides = readClientRecords('opencode', env).filter(({ event }) => event === 'step-aside')
    expect(asides).toMatchObject([{ reason }])
  })

  test('it steps aside when it fails again and again, and leaves the requests as they are', async () => {
    const { rows, sent, events } = started()
    rows.push({ role: 'user', id: 'msg_u', content: 5 as never })
    for (let round = 0; round < 5; round++) {
      const { messages } = await sent().catch(() => ({ messages: rows }))
      expect(messages).toEqual(rows)
    }
    expect(events()).toEqual(['start', 'error', 'error', 'error', 'step-aside'])
  })
})
