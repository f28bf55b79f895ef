import { describe, expect, test } from 'vitest'
import { call, result } from '../../testing/generate/build.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type Session } from '../session.ts'
import { reconcile } from './reconcile.ts'
import type { Message } from '../../log/message.ts'

const usage = { inputTokens: 3_000, outputTokens: 1 }

function step(number: number, words = 'line\n'): Message[] {
  const id = `c${number}`
  return [
    { role: 'assistant', content: [call(id, 'read', { path: `${number}.ts` })] },
    { role: 'tool', content: [result(id, 'read', `${number} ${words.repeat(400)}`)] },
  ]
}

const asked: Message = { role: 'user', content: 'Read all of them.' }
const said = (steps: number): Message[] => [
  asked,
  ...Array.from({ length: steps }, (_, number) => step(number)).flat(),
]
const aside = (time: number): Message => ({
  role: 'user',
  content: `<reminder>It is ${time}.</reminder>`,
})

async function compacted(messages: readonly Message[]): Promise<Session> {
  const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
  await reconcile(session, messages)
  await session.compact()
  expect(session.context().checkpoint).toBeDefined()
  return session
}

describe('what a host added to one request and never says again', () => {
  test('takes no compaction back, which stands until the next one', async () => {
    const session = await compacted([...said(12), aside(1)])
    const [first] = session.messages()
    await reconcile(session, [...said(12), ...step(12), aside(2)])
    expect(session.context().checkpoint).toBeDefined()
    expect(session.messages()[0]).toEqual(first)
    const text = JSON.stringify(session.messages().slice(1))
    expect(text).toContain('It is 2.')
    expect(text).not.toContain('It is 1.')
    expect((await session.fit()).action).toBe('none')
    await reconcile(session, [...said(13), ...step(13), aside(3)])
    expect(session.context().checkpoint).toBeDefined()
  })

  test('leaves what was counted for that request believed', async () => {
    const session = await compacted([...said(12), aside(1)])
    const { appended } = await reconcile(session, [...said(12), ...step(12), aside(2)], {
      describe: (message) => (message.role === 'assistant' ? { usage } : {}),
    })
    expect(appended[0]).toMatchObject({ usage })
  })
})

describe('a host that takes something else back', () => {
  test('gets a context without what was made of it: its newest words', async () => {
    const session = await compacted([...said(12), { role: 'user', content: 'Do it by hand.' }])
    await reconcile(session, [...said(12), { role: 'user', content: 'Do it by a script.' }])
    expect(session.context().checkpoint).toBeUndefined()
    expect(JSON.stringify(session.messages())).not.toContain('by hand')
  })

  test('gets a context without what was made of it: a step', async () => {
    const session = await compacted(said(12))
    await reconcile(session, [...said(11), ...step(20)])
    expect(session.context().checkpoint).toBeUndefined()
  })

  test('is not believed what was counted for another request', async () => {
    const session = await compacted(said(12))
    const edited: Message = { role: 'user', content: 'Read all of them twice.' }
    const { rewoundTo, appended } = await reconcile(session, [edited, ...said(13).slice(1)], {
      describe: ({ role }) => (role === 'assistant' ? { usage } : {}),
    })
    expect(rewoundTo).toBe(0)
    expect(appended.some((entry) => 'usage' in entry)).toBe(false)
    expect(session.measure().source).toBe('estimate')
    expect(session.measure().tokens).toBeGreaterThan(3_000)
  })
})
