import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBodySpans } from '../body/recent-bodies.ts'
import { clientIdOf } from './client-id.ts'
import { clientTraces, type TracedRequest } from '../testing/client-traces.ts'
import { drawnId, wireAgents } from '../testing/agents.ts'
import { listOf } from '../body/json.ts'
import { elementsOf } from '../body/elements.ts'
import { callMarks, identify, recognized } from './identify.ts'
import { requestAfter } from '../postgres/testing/long-agent.ts'
import type { Fields } from '../body/json.ts'
import { callsMark, hashOf } from './marks.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { wireNamed } from '../wires/wires.ts'
import { callerOf, worldOf } from './caller.ts'
import type { GatewayStore, World } from '../store/gateway-store.ts'

const world = 'w' as World
const key = 'the key of a store'

/** The session that a gateway takes a request for. */
async function sessionOf(
  store: GatewayStore,
  { wire: name, headers, body }: TracedRequest,
  {
    moves = true,
    of = world,
    ...marks
  }: { moves?: boolean; of?: World; markedWith?: undefined } = {},
): Promise<string | undefined> {
  const wire = wireNamed(name)
  const bytes = Buffer.from(JSON.stringify(body))
  const spans = readBodySpans(bytes, wire.list)
  const elements = spans && (await elementsOf(bytes, spans))?.elements
  if (!elements) throw new Error('the request cannot be read')
  const field = (key: string): unknown => body[key]
  const { system, model } = wire.read(field, { asks: 'answer' })
  const clientId = clientIdOf(headers, field)
  const hasTools = listOf(body['tools']).length > 0
  const by = { wire: name, clientId, key: 'markedWith' in marks ? undefined : key }
  const marked = { elements, system, hasTools }
  const known = await recognized(wire, { ...marked, by })
  const earlier = () => recognized(wire, { ...marked, by: { ...by, key: undefined } })
  return (await identify(known, { store, earlier, world: of, wire, model, now: 1, moves }))?.id
}

/** Which conversations each session was taken for, and which sessions each conversation had. */
async function replayed(requests: readonly TracedRequest[]) {
  const store = memoryGatewayStore()
  const conversations = new Map<string, Set<string>>()
  const sessions = new Map<string, Set<string>>()
  for (const request of requests) {
    const id = (await sessionOf(store, request)) ?? 'none'
    add(conversations, id, request.conversation)
    add(sessions, request.conversation, id)
  }
  return { conversations, sessions }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value))
}

/** Requests that say the same to the last letter are one request, whoever makes them. */
function firstIsShared(requests: readonly TracedRequest[]): TracedRequest[] {
  return requests.filter(({ body, wire, headers }) => {
    const wired = wireNamed(wire)
    const list = body[wired.list] as unknown[]
    const isNamed = Object.keys(headers).length > 0
    // Before the model has said anything, two conversations with one prompt are not two yet.
    return isNamed ? list.length > 2 : list.length > 3
  })
}

describe.each(Object.entries(clientTraces))('requests of %s', (_, trace) => {
  const requests = firstIsShared(trace('run'))

  it('are never joined with those of another conversation, and each is one session', async () => {
    const { conversations, sessions } = await replayed(requests)
    for (const [id, names] of conversations) expect([id, [...names]]).toEqual([id, [[...names][0]]])
    for (const [name, ids] of sessions) expect([name, ids.size]).toEqual([name, 1])
  })

  it('of two callers are two worlds, word for word the same', async () => {
    const store = memoryGatewayStore()
    const secret = await store.secret()
    const of = (key: string) =>
      worldOf(secret, 'openai', callerOf({ headers: { authorization: key }, search: '' }))
    expect(of('Bearer a')).not.toBe(of('Bearer b'))
    expect(of('Bearer a')).toBe(of('Bearer a'))
    for (const request of requests) {
      const one = await sessionOf(store, request, { of: of('Bearer a') })
      expect(await sessionOf(store, request, { of: of('Bearer b') })).not.toBe(one)
    }
  })
})

describe('all clients at once', () => {
  const all = Object.entries(clientTraces).flatMap(([client, trace]) =>
    ['x', 'y'].flatMap((run) => firstIsShared(trace(`${client}-${run}`))),
  )

  it('are never joined, in whatever order their requests come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const open = new Map<string, TracedRequest[]>()
        for (const request of all) {
          const waiting = open.get(request.conversation) ?? []
          waiting.push(request)
          open.set(request.conversation, waiting)
        }
        const shuffled: TracedRequest[] = []
        while (open.size > 0) {
          const names = [...open.keys()]
          const name = names[(numbers.next().value as number) % names.length] as string
          const [next, ...rest] = open.get(name) ?? []
          if (next) shuffled.push(next)
          if (rest.length === 0) open.delete(name)
          else open.set(name, rest)
        }
        const { conversations } = await replayed(shuffled)
        expect([...conversations.values()].filter((names) => names.size > 1)).toEqual([])
      }),
      { numRuns: 5 },
    )
  })
})

describe('a session', () => {
  const trace = () => (clientTraces['opencode']?.('run') ?? []).filter((_, at) => at % 2 === 0)
  const at = (count: number): TracedRequest => trace()[count] as TracedRequest
  const said = (request: TracedRequest) => request.body['messages'] as Record<string, unknown>[]
  const withMessages = (request: TracedRequest, messages: readonly object[]): TracedRequest => ({
    ...request,
    body: { ...request.body, messages },
  })

  it('is the same for a request that is made again', async () => {
    const store = memoryGatewayStore()
    const first = await sessionOf(store, at(3))
    expect(await sessionOf(store, at(3))).toBe(first)
    expect(await sessionOf(store, at(4))).toBe(first)
    expect(await sessionOf(store, at(4))).toBe(first)
  })

  it('forks where two go on from one place, also at the same time', async () => {
    const store = memoryGatewayStore()
    const first = await sessionOf(store, at(2))
    const [one, two] = ['one way', 'another way'].map((content) =>
      withMessages(at(3), [
        ...said(at(2)),
        { role: 'assistant', content },
        { role: 'user', content: 'go' },
      ]),
    ) as [TracedRequest, TracedRequest]
    const ids = await Promise.all([sessionOf(store, one), sessionOf(store, two)])
    expect(new Set(ids).size).toBe(2)
    expect(ids).toContain(first)
    // Both go on as themselves.
    for (const [index, fork] of [one, two].entries()) {
      const next = withMessages(fork, [
        ...said(fork),
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'x' },
      ])
      expect(await sessionOf(store, next)).toBe(ids[index])
    }
  })

  it('is another one under other instructions, with the same name and the same words', async () => {
    const store = memoryGatewayStore()
    const claude = clientTraces['claude-code']?.('run').find(({ conversation }) =>
      conversation.includes('main'),
    ) as TracedRequest
    const other = { ...claude, body: { ...claude.body, system: 'You are a sub-agent.' } }
    expect(await sessionOf(store, claude)).not.toBe(await sessionOf(store, other))
  })

  it('is not moved by a request that only counts, and not begun by one', async () => {
    const store = memoryGatewayStore()
    expect(await sessionOf(store, at(2), { moves: false })).toBeUndefined()
    const first = await sessionOf(store, at(2))
    expect(await sessionOf(store, at(3), { moves: false })).toBe(first)
    expect(await sessionOf(store, at(3))).toBe(first)
  })

  it('is followed by its calls where the client has changed what stands before them', async () => {
    const store = memoryGatewayStore()
    const first = await sessionOf(store, at(3))
    const [system, , ...rest] = said(at(4))
    const changed = withMessages(at(4), [
      system as object,
      { role: 'user', content: 'No reminder.' },
      ...rest,
    ])
    expect(await sessionOf(store, changed)).toBe(first)
  })

  it('is not found by calls that anybody could have made', async () => {
    const store = memoryGatewayStore()
    const [one, two] = ['cn', 'kimi-code'].map((client) =>
      clientTraces[client]?.('run').filter((_, index) => index % 2 === 0),
    )
    for (const requests of [one, two]) {
      const before = requests?.[3] as TracedRequest
      const first = await sessionOf(store, before)
      const next = requests?.[4] as TracedRequest
      const [system, , ...rest] = said(next)
      const changed = withMessages(next, [
        system as object,
        { role: 'user', content: 'Other.' },
        ...rest,
      ])
      expect(await sessionOf(store, changed)).not.toBe(first)
    }
  })

  it('has the same name for every replica that begins it', async () => {
    const [one, two] = [memoryGatewayStore(), memoryGatewayStore()]
    expect(await sessionOf(one, at(3))).toBe(await sessionOf(two, at(3)))
  })
})

describe('a session that an earlier version began, with marks without a key', () => {
  const requests = (clientTraces['opencode']?.('run') ?? []).filter((_, at) => at % 2 === 0)
  const at = (count: number): TracedRequest => requests[count] as TracedRequest
  const unkeyed = (store: GatewayStore, request: TracedRequest) =>
    sessionOf(store, request, { markedWith: undefined })

  it('goes on as the same one, and nothing is written of it any more without the key', async () => {
    const store = memoryGatewayStore()
    const begun = await unkeyed(store, at(3))
    expect([await sessionOf(store, at(4)), await sessionOf(store, at(5))]).toEqual([begun, begun])
    // It has no mark of these that could be made without the key.
    expect(await unkeyed(store, at(5))).not.toBe(begun)
  })

  it('is an older place for what goes another way', async () => {
    const store = memoryGatewayStore()
    const begun = await unkeyed(store, at(3))
    await unkeyed(store, at(4))
    expect(await sessionOf(store, at(3))).not.toBe(begun)
  })
})

describe('what a store keeps of a conversation', () => {
  it('is nothing that somebody without its key could make from what was said', async () => {
    const wire = wireNamed('openai-chat')
    const { messages } = requestAfter(3, 'a') as { messages: Fields[] }
    const elements = messages.map((value) => ({ value, span: { start: 0, end: 0 } }))
    const keptWith = async (by: string): Promise<string[]> => {
      const known = await recognized(wire, { elements, system: 'Be brief.', by: { wire: wire.name, clientId: 'c', key: by } }) // prettier-ignore
      return [known.instructions, ...known.heads, ...known.calls]
    }
    const [one, other] = [await keptWith('one'), await keptWith('other')]
    expect(one.length).toBeGreaterThan(messages.length)
    expect(one.filter((mark) => other.includes(mark))).toEqual([])
    expect(await keptWith('one')).toEqual(one)
  })
})

describe('the newest calls of a conversation', () => {
  const wire = wireNamed('openai-chat')
  const drawn = fc.integer({ min: 0, max: 99 }).map((n) => `call_a1${hashOf(String(n))}`)
  const element = fc.oneof(
    fc.record({ role: fc.constant('user'), content: fc.constantFrom('', 'a', 'b') }),
    fc.record({ role: fc.constant('tool'), tool_call_id: drawn, content: fc.constant('given') }),
    fc.record({
      role: fc.constant('assistant'),
      tool_calls: fc.array(
        fc.record({ id: fc.oneof(drawn, fc.constant('call_7')), type: fc.constant('function') }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  )

  it('are known by what was called since anything else was said, and what that gave', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 40 }), fc.boolean(), (values, isNamed) => {
        const clientId = isNamed ? 'client' : undefined
        const by = { wire: wire.name, clientId, key }
        const expected: unknown[] = []
        let open: string[] = []
        for (const value of values) {
          const { says, calls } = wire.said(value)
          if (calls.length > 0) open.push(...calls)
          else if (open.length > 0) {
            const mark = callsMark(by, open, hashOf(JSON.stringify(says)))
            if (mark !== undefined) expected.push(mark)
            open = []
          }
        }
        const elements = values.map((value) => ({ value, span: { start: 0, end: 0 } }))
        expect(callMarks(wire, elements, by)).toEqual(expected.toReversed().slice(0, 8))
      }),
    )
  })
})

describe.each(wireAgents)('a request without tools over $name', (agent) => {
  const headers = { 'session-id': 'session-a' }
  const requestOf = (steps: number, question?: string): TracedRequest => {
    const isAside = question !== undefined
    const said = [
      ...agent.ask('Read all parts.'),
      ...Array.from({ length: steps }, (_, step) =>
        agent.step(drawnId(step), { path: `${step}.ts` }, `part ${step}`),
      ).flat(),
      ...(isAside ? agent.ask(question) : []),
    ]
    const body = { ...agent.body({ model: 'm', said, streams: true, tools: !isAside }) }
    return { wire: agent.name as TracedRequest['wire'], headers, body, conversation: 'main' }
  }

  it.each([
    ['under the same instructions', (text: string) => text],
    ['under other instructions', (text: string) => text.replace('You are an agent.', 'Be brief.')],
  ])('does not move the session of the agent about which it asks, %s', async (_, change) => {
    const store = memoryGatewayStore()
    const main = await sessionOf(store, requestOf(5))
    const aside = requestOf(5, 'Make a title for the above.')
    const body = JSON.parse(change(JSON.stringify(aside.body))) as Record<string, unknown>
    expect(await sessionOf(store, { ...aside, body })).not.toBe(main)
    expect(await sessionOf(store, requestOf(6))).toBe(main)
    expect(await sessionOf(store, requestOf(7))).toBe(main)
  })
})
