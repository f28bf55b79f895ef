import { describe, expect, test } from 'vitest'
import { agentsPin, pinReply } from './pin-tool.ts'
import { compactReply } from './compact-tool.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type Session } from '../session.ts'

async function sessionOf(words: number): Promise<Session> {
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 20_000 },
  })
  for (let at = 0; at < words; at += 500) {
    await session.say(`Go on. ${'word '.repeat(500)}`)
    const message = { role: 'assistant', content: `Done ${at}.` } as const
    await session.append({ kind: 'message', at, origin: 'model', message, finish: 'stop' })
  }
  return session
}

describe('the agent’s compact', () => {
  test('is requested where it gains something, and says what to cover and to keep', async () => {
    const session = await sessionOf(10_000)
    expect(compactReply(session, { focus: ' the parser ', keep: 'x = 1' })).toEqual({
      text: 'Requested: it is done after this step, and the work goes on.',
      asked: { focus: 'the parser', keep: 'x = 1' },
    })
    expect(compactReply(session, 'nonsense')).toMatchObject({ asked: {} })
  })

  test('is refused in one sentence where the context is small or was just compacted', async () => {
    const small = compactReply(await sessionOf(500), {})
    expect(small).toMatchObject({ error: expect.stringMatching(/^Not needed: [^\n]*\.$/) })
    const session = await sessionOf(10_000)
    await session.compact()
    expect(compactReply(session, {})).toHaveProperty('error')
  })
})

describe('the agent’s pin', () => {
  test('stays through a compaction, marked as the agent’s', async () => {
    const session = await sessionOf(10_000)
    expect(await pinReply(session, { text: 'The port is 8080.' })).toEqual({ text: 'Pinned.' })
    await session.compact()
    const [first] = session.messages()
    expect(JSON.stringify(first)).toContain(`${agentsPin}The port is 8080.`)
    expect((await session.facts()).rules).toEqual([])
  })

  test('has a budget of its own, so that the human’s rules have room', async () => {
    const session = await sessionOf(500)
    expect(await pinReply(session, { text: 'word '.repeat(3_000) })).toHaveProperty('error')
    expect(await pinReply(session, { text: ' ' })).toHaveProperty('error')
    for (let at = 0; at < 50; at++) await pinReply(session, { text: `${at} ${'word '.repeat(40)}` })
    const pins = [...session.context().pins.values()]
    expect(pins.length).toBeGreaterThan(5)
    expect(pins.length).toBeLessThan(50)
  })
})
