import { expect, test } from 'vitest'
import { type Entry, type Message } from 'throughline'
import { chronological } from 'throughline/engine'
import { throughline, type Compactor, type MeasuredSession } from 'throughline/evaluation'
import { live, type LivePolicy } from './life.ts'
import { compactorLives, throughlineLives } from './live-policies.ts'

const names = Array.from({ length: 12 }, (_, index) => `neededName${index}`)
const step = (text: string, index: number): Message[] => [
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', toolCallId: `c${index}`, toolName: 'Grep', input: { pattern: text } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: `c${index}`,
        toolName: 'Grep',
        output: { type: 'text', value: `line ${index}. `.repeat(400) },
      },
    ],
  },
]
const messages: Message[] = [
  { role: 'user', content: `Fix ${names.join(' ')}.` },
  ...Array.from({ length: 20 }, (_, index) => step('nothing', index)).flat(),
  ...step(names.join('|'), 20),
]
const origins = { user: 'human', assistant: 'model', tool: 'tool', system: 'harness' } as const
const session: MeasuredSession = {
  name: 'here__1',
  repository: 'here',
  harness: 'hand-made',
  directories: [],
  log: chronological(
    messages.map((message, index): Entry => {
      const origin = origins[message.role]
      return { kind: 'message', seq: index + 1, at: index * 1_000, origin, message }
    }),
  ),
}
const setting = { window: 16_000, generic: new Set<string>() }

const keeping = (text: string): LivePolicy => {
  const compactor: Compactor = {
    name: 'written',
    compact: async ({ log }) => ({
      log: chronological(log.slice(-1)),
      summary: text,
      messages: [{ role: 'user', content: text }],
    }),
  }
  return compactorLives(compactor, [])
}

test('a session is lived through request by request, and never over its window', async () => {
  const life = await live(session, throughlineLives(throughline.name), setting)
  expect(life.problem).toBeUndefined()
  expect(life.requests).toHaveLength(21)
  expect(Math.max(...life.requests)).toBeLessThanOrEqual(setting.window)
  expect(life.compactions).toBeGreaterThan(0)
  expect(life.dollars).toBeGreaterThan(0)
})

test('who drops what is needed scores lower at the same compactions', async () => {
  const all = await live(session, keeping(names.join(' ')), setting)
  const half = await live(session, keeping(names.slice(0, 6).join(' ')), setting)
  expect(all).toMatchObject({ compactions: half.compactions, needed: half.needed })
  expect(all.held).toBe(all.needed)
  expect(half.held).toBe(half.needed / 2)
})

test('a session that is not made to fit ends at the request that is too large', async () => {
  const nothing: Compactor = {
    name: 'nothing',
    compact: async ({ log }) => ({
      log,
      summary: '',
      messages: log.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])),
    }),
  }
  const life = await live(session, compactorLives(nothing, []), setting)
  expect(life.stoppedAt).toBe(life.requests.length + 1)
  expect(life.requests.length).toBeLessThan(21)
})

test('a request that repeats the one before costs a tenth for what it repeats', async () => {
  const short = { ...session, log: chronological(session.log.slice(0, 5)) }
  const { requests, dollars } = await live(short, throughlineLives(throughline.name), setting)
  const [first = 0, second = 0] = requests
  const input = (first * 1.25 + first * 0.1 + (second - first) * 1.25) * 3
  expect(dollars * 1_000_000).toBeGreaterThan(input)
  expect(dollars * 1_000_000).toBeLessThan(input + 2 * 15 * 50)
})

test('what fails is said, not thrown', async () => {
  const failing: LivePolicy = {
    name: 'failing',
    open: async () => {
      throw new Error('It is out of order.')
    },
  }
  expect(await live(session, failing, setting)).toMatchObject({ problem: 'It is out of order.' })
})
