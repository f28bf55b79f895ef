import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { changeClientSettings } from '../settings.ts'
import { callsIn, readClientRecords } from '../record.ts'
import { openHooks } from './v1.ts'
import type { OpencodeMessage } from './messages.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-requests-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const good = `## Goal
Read everything.

## Instructions
- Never write a file.

## Discoveries
${Array.from({ length: 40 }, (_, line) => `- Line ${line} says word, as all the others do.`).join('\n')}

## Accomplished
- The files were read one after the other.

## Relevant files
- a1`

type Answer = { data: unknown } | Promise<never>

const said = (text: string): Answer => ({
  data: { info: { finish: 'stop' }, parts: [{ type: 'text', text }] },
})

let folders = 0

/** opencode with one session, whose model answers requests for a summary as it is told. */
async function host(answer: (request: number, signal?: AbortSignal) => Answer) {
  const env = { XDG_DATA_HOME: join(root, `${folders++}`) }
  const kept: OpencodeMessage[] = []
  const stopped: unknown[] = []
  let asked = 0
  const model = { id: 'm', limit: { context: 40_000, output: 13_000 } }
  const api = {
    config: {
      providers: async () => ({ data: { providers: [{ id: 'p', models: { m: model } }] } }),
    },
    session: {
      create: async () => ({ data: { id: 'ses_child' } }),
      delete: async () => ({}),
      abort: async ({ path }: { path?: { id?: unknown } }) => {
        stopped.push(path?.id)
        return {}
      },
      messages: async () => ({ data: structuredClone(kept) }),
      prompt: async ({ signal }: { signal?: AbortSignal }) => answer((asked += 1), signal),
    },
    _client: { get: async () => ({ data: { version: '1.18.33' } }) },
  }
  const hooks = await openHooks({ client: api, directory: '/work' }, env)
  const records = () => readClientRecords('opencode', env)
  return {
    env,
    kept,
    hooks,
    stopped,
    records,
    calls: () => callsIn(records()),
    asked: () => asked,
    async sent(messages: OpencodeMessage[]): Promise<void> {
      await hooks['experimental.chat.messages.transform']({}, { messages: [...messages] })
    },
  }
}

const words = 'word '.repeat(1_500)

function user(id: string, parts: OpencodeMessage['parts']): OpencodeMessage {
  const info = { id, role: 'user', sessionID: 'ses_1', model: { providerID: 'p', modelID: 'm' } }
  return { info, parts }
}

function session(steps: number): OpencodeMessage[] {
  const asked = user('u', [{ type: 'text', text: 'Read everything. Never write a file.' }])
  return [asked, ...Array.from({ length: steps }, (_, index) => step(`a${index}`))]
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

/** It had to wait for a model that says nothing: longer where the machine is slow to ask it. */
async function hostThatWaited() {
  for (let patience = 250; ; patience *= 4) {
    const waiting = await host((_, signal) => silent(signal))
    changeClientSettings('opencode', waiting.env, { patience })
    await waiting.sent(session(14))
    if (waiting.asked() > 0) return waiting
  }
}

/** Near enough to the window that a summary is prepared, and a compaction is not due. */
const near = 11

/** Never answers, until it is given up. */
function silent(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

describe('each request for a summary is told with what became of it', () => {
  test('one that was used', async () => {
    const { sent, calls, asked, records } = await host(() => said(good))
    await sent(session(14))
    expect([asked(), calls()]).toEqual([1, ['used']])
    expect(records().at(-1)).toMatchObject({ event: 'compaction', by: 'client-model' })
  })

  test('one whose answer was not good enough, and the second', async () => {
    const { sent, calls, asked, records } = await host((request) => said(request > 1 ? good : ''))
    await sent(session(14))
    expect([asked(), calls()]).toEqual([2, ['rejected', 'used']])
    const reason = records().find(({ became }) => became === 'rejected')?.reason
    expect(reason).toMatch(/empty|no text/)
  })

  test('those that failed', async () => {
    const { sent, calls, asked, records } = await host(() => Promise.reject(new Error('503')))
    await sent(session(14))
    expect([asked(), calls()]).toEqual([2, ['failed', 'failed']])
    expect(records().at(-1)).toMatchObject({ by: 'local' })
  })

  test('one that did not answer in time, which is stopped', async () => {
    const { calls, asked, stopped, records } = await hostThatWaited()
    expect([asked(), calls()]).toEqual([1, ['late']])
    await vi.waitFor(() => expect(stopped).toEqual(['ses_child']))
    const reason = 'the client’s model: the call failed: it did not answer in time'
    expect(records().at(-1)).toMatchObject({ by: 'local', reason: expect.stringContaining(reason) })
  })

  test('none ahead: opencode asks at each compaction anyway, and that request is used', async () => {
    const { sent, calls, asked, kept, hooks } = await host(() => said(good))
    const messages = session(near)
    await sent(messages)
    kept.push(...messages, user('m', [{ type: 'compaction', auto: true }]))
    const output: { prompt?: string } = {}
    await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, output)
    expect(output.prompt).toContain('Write a summary')
    await hooks['experimental.text.complete'](
      { sessionID: 'ses_1', messageID: 's' },
      { text: good },
    )
    expect([asked(), calls()]).toEqual([0, ['used']])
  })

  test('the one that opencode makes itself', async () => {
    const { sent, calls, asked, kept, hooks, records } = await host(() => said(good))
    const messages = session(6)
    await sent(messages)
    kept.push(...messages, user('m', [{ type: 'compaction', auto: false }]))
    const output: { prompt?: string } = {}
    await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, output)
    expect(output.prompt).toContain('Write a summary')
    expect(calls()).toEqual(['unknown'])
    await hooks['experimental.text.complete'](
      { sessionID: 'ses_1', messageID: 's' },
      { text: good },
    )
    expect([asked(), calls()]).toEqual([0, ['used']])
    expect(records().at(-1)).toMatchObject({ by: 'client-model' })
  })
})
