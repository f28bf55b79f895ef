import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { asked, started } from '../testing/started.ts'
import { wireAgents } from '../testing/agents.ts'
import { BodyRoom } from './body-room.ts'
import { RefusedError } from './refusals.ts'
import type { Caller } from '../identity/caller.ts'
import type { Gateway } from './gateway.ts'

const [agent] = wireAgents
const path = agent?.path('m', false) ?? ''

const caller = (key: string): Caller => ({ keys: [key], identity: [] })

/** What the clients of each API read. */
const forms = {
  'openai-chat': { error: { type: 'invalid_request_error', code: 'request_timeout' } },
  'openai-responses': { error: { type: 'invalid_request_error', code: 'request_timeout' } },
  anthropic: { type: 'error', error: { type: 'timeout_error' } },
  gemini: { error: { code: 408, status: 'DEADLINE_EXCEEDED' } },
}

/** A request that says how long it is, and does not come. */
function halfSent(gateway: Pick<Gateway, 'url'>, key: string, sent: string, at = path) {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(
    `POST ${at} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 5000000\r\n\r\n${sent}`,
  )
  return {
    said: () => said,
    send: (more: string) => socket.write(more),
    end: () => socket.destroy(),
  }
}

async function answered(gateway: Pick<Gateway, 'url'>, key: string): Promise<number> {
  const body = agent?.body({ model: 'm', said: agent.ask('Hi.'), streams: false, tools: false })
  return (await asked(gateway, path, body ?? {}, { authorization: `Bearer ${key}` })).status
}

it('what is given back can be taken again', () => {
  const room = new BodyRoom(100)
  const first = room.for(caller('a'))
  first.take(50)
  expect(() => room.for(caller('a')).take(1)).toThrow(RefusedError)
  first.release()
  first.release()
  room.for(caller('a')).take(50)
})

it('a body that comes a byte at a time is not waited for without end', async () => {
  const { gateway, close } = await started(
    { script: () => ({ text: 'Yes.' }) },
    { bodyPatience: 600 },
  )
  const slow = halfSent(gateway, 'one', '{')
  const drip = setInterval(() => slow.send(' '), 50)
  try {
    await expect.poll(slow.said, { timeout: 5_000 }).toContain(' 408 ')
  } finally {
    clearInterval(drip)
    slow.end()
    await close()
  }
})

it.each(Object.entries(forms))(
  '%s hears in its own form that its request did not come',
  async (name, form) => {
    const refused: string[] = []
    const { gateway, close } = await started(
      { script: () => ({ text: 'Yes.' }) },
      { bodyPatience: 50, onRefused: ({ type }) => refused.push(type) },
    )
    const { path = '' } = { path: wireAgents.find((one) => one.name === name)?.path('m', false) }
    const slow = halfSent(gateway, 'one', '{', path)
    try {
      await expect.poll(slow.said).toContain('}')
      const [head = '', body = ''] = slow.said().split('\r\n\r\n')
      expect(head).toContain('HTTP/1.1 408 ')
      expect(JSON.parse(body)).toMatchObject(form)
      expect(refused).toEqual(['request_timeout'])
    } finally {
      slow.end()
      await close()
    }
  },
)

it('many connections with a header and a byte stop nobody, and are told to go', async () => {
  let entered = 0
  const { gateway, close } = await started(
    { script: () => ({ text: 'Yes.' }) },
    { bodyPatience: 1_500, enter: () => void (entered += 1) as undefined },
  )
  const waiting = Array.from({ length: 200 }, () => halfSent(gateway, 'one', '{'))
  try {
    expect(await answered(gateway, 'two')).toBe(200)
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    expect(entered).toBe(1)
    await expect.poll(() => waiting.every(({ said }) => said().includes(' 408 '))).toBe(true)
  } finally {
    for (const { end } of waiting) end()
    await close()
  }
})

it('a caller whose bodies take all that it may is refused, and another one is served', async () => {
  const { gateway, close } = await started(
    { script: () => ({ text: 'Yes.' }) },
    { bodiesLimit: 2_000_000 },
  )
  const waiting = Array.from({ length: 4 }, () => halfSent(gateway, 'one', 'x'.repeat(400_000)))
  try {
    await expect.poll(() => waiting.some(({ said }) => said().includes(' 503 '))).toBe(true)
    expect(await answered(gateway, 'two')).toBe(200)
  } finally {
    for (const { end } of waiting) end()
    await close()
  }
})
