import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { requestOf } from '../server/model-request.ts'
import { replicas } from '../testing/replicas.ts'
import type { Sessions } from './sessions.ts'
import { wireFor } from '../wires/wires.ts'
import type { Fields } from '../body/json.ts'
import type { Turn } from './turn.ts'

const replica = replicas({ window: 24_000, isStill: true })

/** One request: which steps its agent has made, and what is another one in its bytes. */
interface Asked {
  steps: number
  /** Steps from here on are of another conversation. */
  apartFrom: number
  key: string
  id: string | undefined
  change: (text: string) => string
}

const mark = 'word word'
const changes: readonly ((text: string) => string)[] = [
  (text) => text,
  // Another word, early or late.
  (text) => text.replace(mark, 'word ward'),
  (text) => replaceLast(text, mark, 'word ward'),
  // The same word in other letters.
  (text) => text.replace(mark, 'word \\u0077ord'),
  (text) => replaceLast(text, mark, 'word \\u0077ord'),
  // Two texts in one message: readers may differ.
  (text) => replaceLast(text, '"role":"user"', '"role":"tool","role":"user"'),
  (text) => text.replace('"role":"user"', '"role":"user","role":"user"'),
  // Other instructions: where they are a message, the newest calls say whose it is. And other tools.
  (text) => text.replace('You are an agent. Work.', 'You are an agent. Play.'),
  (text) => text.replace('"read"', '"look"'),
  // Written in another way.
  (text) => JSON.stringify(JSON.parse(text), undefined, 1),
]

function replaceLast(text: string, what: string, by: string): string {
  const at = text.lastIndexOf(what)
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + what.length)
}

const asked: fc.Arbitrary<Asked> = fc.record({
  // Most go on from the one before, some go back.
  steps: fc.constantFrom(0, 1, 1, 1, 2, -2),
  apartFrom: fc.constantFrom(999, 999, 999, 999, 999, 28, 31),
  key: fc.constantFrom('key-1', 'key-1', 'key-1', 'key-1', 'key-1', 'key-2'),
  id: fc.constantFrom(...Array.from({ length: 5 }, () => undefined), 'session-a', 'session-b'),
  change: fc.oneof(fc.constantFrom(...changes.slice(0, 1)), fc.constantFrom(...changes)),
})

function bodyOf(agent: WireAgent, { steps, apartFrom, change }: Asked): Buffer {
  const said = [
    ...agent.ask('Read all parts. Never edit main.ts.'),
    ...Array.from({ length: steps }, (_, step) => {
      const whose = step < apartFrom ? 'a' : 'b'
      const output = `part ${step} of ${whose}: ${'word '.repeat(230)}`
      return agent.step(drawnId(step, whose), { path: `src/part-${step}.ts` }, output)
    }).flat(),
  ]
  const body = agent.body({ model: 'm', said, streams: true, tools: true })
  return Buffer.from(change(JSON.stringify(body)))
}

interface Followed {
  session: string
  how: string
  did: string
  sent: string
  /** The elements of its list, as they came and as they are sent. */
  lists: Lists
}

interface Lists {
  came: readonly unknown[]
  sent: readonly unknown[]
  /** What came, in words. */
  said: readonly string[]
}

/** What a request is answered by: `how` it was followed, and what goes to the provider. */
async function follow(sessions: Sessions, agent: WireAgent, given: Asked): Promise<Followed> {
  const [path = ''] = agent.path('m', true).split('?')
  const { wire, route } = wireFor(path) as NonNullable<ReturnType<typeof wireFor>>
  const keys = Object.fromEntries(
    Object.entries(agent.headers).map(([name, value]) => [name, value.replace('key-1', given.key)]),
  )
  const headers = { ...keys, ...(given.id !== undefined && { 'session-id': given.id }) }
  const body = bodyOf(agent, given)
  const caller = callerOf({ headers, search: '' })
  const parts = { wire, route, body, headers, caller, base: 'http://p', path, search: '' }
  const request = requestOf(parts, sessions.bodiesOf(parts))
  if (!request) {
    return {
      session: 'unread',
      how: '',
      did: '',
      sent: '',
      lists: { came: [], sent: [], said: [] },
    }
  }
  const turn = (await sessions.follow(request)) as Turn
  const sent = (turn.body ?? body).toString()
  const listIn = (text: string) => (JSON.parse(text) as Record<string, unknown[]>)[wire.list] ?? []
  const came = listIn(body.toString())
  const said = came.map((one) => JSON.stringify(wire.said(one as Fields).says))
  const lists = { came, sent: listIn(sent), said }
  // Three quarters of the window: what is compacted behind the answer is done before the next one.
  if (turn.tokens >= 18_000) await sessions.settle(turn.session)
  return { session: turn.session, how: turn.how, did: turn.did, sent, lists }
}

/** What a session has said is where this request begins, or this is a fork of its own. */
function goesOnFrom(
  before: ReadonlyMap<string, Lists>,
  { session, how, lists: { said } }: Followed,
): void {
  if (how === 'fork') return
  const stood = before.get(session)?.said
  expect(stood).toBeDefined()
  expect(said.slice(0, stood?.length)).toEqual(stood)
}

/** A name for each session, in the order in which they come: ids hold a secret of the store. */
function namer(): (id: string) => number {
  const names = new Map<string, number>()
  return (id) => names.get(id) ?? names.set(id, names.size).size - 1
}

describe.each(wireAgents)('requests over $name', (agent) => {
  it('meet the session and get the bytes that a process gives which remembers nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 2, maxLength: 7 }), async (requests) => {
        const quick = replica(memoryGatewayStore())
        const store = memoryGatewayStore()
        const [own, other] = [namer(), namer()]
        const owners = new Map<string, string>()
        const before = new Map<string, Lists>()
        const beforePlain = new Map<string, Lists>()
        let steps = 30
        for (const next of requests) {
          steps += next.steps
          const one = { ...next, steps }
          const now = await follow(quick, agent, one)
          // Each time another process, which has nothing but the store.
          const anew = replica(store)
          const plain = await follow(anew, agent, one)
          await anew.close()
          if (own(now.session) !== other(plain.session)) {
            // Of two forks that have said the same, either is right: this goes on from both of them,
            // word for word. The one that was asked last has the warmer cache.
            goesOnFrom(before, now)
            goesOnFrom(beforePlain, plain)
            expect(owners.get(now.session)).toBe(`${one.key} ${one.id}`)
            // From here on, they have said different things.
            return
          }
          if (now.sent !== plain.sent) {
            // Only while a compaction is due that it need not wait for: then what was sent before
            // stands there, and what is new.
            const { came = [], sent = [] } = before.get(now.session) ?? {}
            expect(plain.did).toBe('compacted')
            expect(sent.length).toBeGreaterThan(0)
            expect(now.lists.sent).toEqual([...sent, ...now.lists.came.slice(came.length)])
          }
          before.set(now.session, now.lists)
          beforePlain.set(plain.session, plain.lists)
          // Whose key or name is another one, is never met.
          const owner = `${one.key} ${one.id}`
          expect(owners.get(now.session) ?? owner).toBe(owner)
          owners.set(now.session, owner)
        }
      }),
      { numRuns: 25 },
    )
  }, 120_000)
})
