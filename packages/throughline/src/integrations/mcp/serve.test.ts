import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { recallServer } from './recall-server.ts'
import { serve } from './serve.ts'
import type { RecallSource } from './recall-source.ts'

const call = (id: number | string, meta?: object): string =>
  line({
    id,
    method: 'tools/call',
    params: { name: 'recall', arguments: { words: 'port' }, ...(meta && { _meta: meta }) },
  })
const hello = line({
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'codex-mcp-client', version: '1' },
  },
})

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
}

/** What a server answers to these chunks, and what it reports. */
async function served(chunks: Iterable<string>, find?: RecallSource['find']) {
  const store = memoryStore()
  await store.append('a', [draft('the port is 8123')])
  const errors: string[] = []
  const source: RecallSource = {
    choice: 'one',
    find: find ?? (async () => ({ store, session: 'a' })),
  }
  const onError = (error: unknown): void => void errors.push(String(error))
  const server = recallServer({ source, version: '1', onError })
  const answered = new Map<unknown, string>()
  await serve(server, {
    chunks: bytesOf(chunks),
    async write(text) {
      answered.set(JSON.parse(text).id, text)
    },
  })
  return { answered, errors, store }
}

async function* bytesOf(chunks: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const chunk of chunks) yield encoder.encode(chunk)
}

describe('a server that is sent more than any client means', () => {
  it('skips a line of 300 MB, and answers what follows', async () => {
    const megabyte = 'x'.repeat(1e6)
    function* chunks(): Generator<string> {
      yield hello
      for (let count = 0; count < 300; count++) yield megabyte
      yield `\n${call(1)}`
    }
    const { answered, errors } = await served(chunks())
    expect(answered.get(1)).toContain('8123')
    expect(errors).toHaveLength(1)
  })

  it('reports 10,000 lines of garbage in a few lines, and answers what follows', async () => {
    const garbage = Array.from({ length: 10_000 }, (_, index) => `garbage ${index}\n`).join('')
    const { answered, errors } = await served([hello, garbage, call(1)])
    expect(answered.get(1)).toContain('8123')
    expect(errors).toHaveLength(4)
    expect(errors.at(-1)).toContain('9997 more lines')
  })

  it('answers 2,000 questions at once, and works on few of them at a time', async () => {
    let open = 0
    let most = 0
    const store = memoryStore()
    await store.append('a', [draft('the port is 8123')])
    const questions = Array.from({ length: 2_000 }, (_, id) => call(id)).join('')
    const { answered } = await served([hello, questions], async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return { store, session: 'a' }
    })
    expect(answered.size).toBe(2_001)
    expect(most).toBeLessThanOrEqual(32)
  })
})

describe('a server', () => {
  it('tells its source who asks', async () => {
    const askers: unknown[] = []
    const { answered } = await served([hello, call(1, { threadId: 'abcd' })], async (_, asker) => {
      askers.push(asker)
      return undefined
    })
    expect(askers).toEqual([
      { client: 'codex-mcp-client', meta: { threadId: 'abcd' }, input: { words: 'port' } },
    ])
    expect(answered.get(1)).toContain('has not been written yet')
  })

  it('offers its newest version of the protocol to a client that asks for an unknown one', async () => {
    const asks = (id: string, protocolVersion: string): string =>
      line({ id, method: 'initialize', params: { protocolVersion } })
    const { answered } = await served([asks('known', '2025-03-26'), asks('new', '2099-01-01')])
    expect(JSON.parse(answered.get('known') ?? '').result.protocolVersion).toBe('2025-03-26')
    expect(JSON.parse(answered.get('new') ?? '').result.protocolVersion).toBe('2025-11-25')
  })

  it('answers a ping, and says which method or tool it does not have', async () => {
    const { answered, errors } = await served([
      line({ id: 1, method: 'ping' }),
      line({ id: 2, method: 'resources/list' }),
      line({ id: 3, method: 'tools/call', params: { name: 'remember' } }),
      line({ id: 4, result: {} }),
      line({ method: 'notifications/initialized' }),
    ])
    expect([...answered.values()].map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: { code: -32_601, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 3, error: { code: -32_602, message: expect.any(String) } },
    ])
    expect(errors).toEqual([])
  })

  it('gives no answer to a request that its client has canceled', async () => {
    let go = (): void => {}
    const waits = new Promise<void>((resolve) => (go = resolve))
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } }
    const { answered } = await served([call(1), line(cancel), call(2)], async () => {
      setImmediate(go)
      await waits
      return undefined
    })
    expect([...answered.keys()]).toEqual([2])
  })
})
