import { describe, expect, test } from 'vitest'
import { assistant, call, human, result, tool } from '../../testing/generate/build.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { memoryStore } from '../../stores/memory.ts'
import { messageText } from '../../log/message.ts'
import { openSession, type Session } from '../session.ts'
import type { ToolOutput } from '../../log/message.ts'

const policy = { ...defaultPolicy, remindAt: (usable: number) => usable / 2 }

function open(store = memoryStore(), own = policy): Promise<Session> {
  return openSession({ store, id: 'a', window: { context: 40_000 }, policy: own, now: () => 0 })
}

let made = 0

/** A step with its gate, as a loop has them. */
async function step(
  session: Session,
  output: string | ToolOutput = 'word '.repeat(600),
): Promise<void> {
  const id = `c${made++}`
  await session.append(
    assistant([call(id, 'read', { path: id })]),
    tool(result(id, 'read', output)),
  )
  await session.fit()
}

async function steps(session: Session, share: number): Promise<void> {
  while (session.measure().tokens < session.budget().usable * share) await step(session)
}

const reminders = (session: Session): string[] =>
  session
    .messages()
    .map(messageText)
    .filter((text) => text.startsWith('[Throughline'))

describe('the reminder', () => {
  test('comes once, behind the newest step, and keeps its place and its bytes', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(human('Read all.'))
    await steps(session, 0.49)
    expect(reminders(session)).toEqual([])
    await steps(session, 0.55)
    expect(reminders(session)).toHaveLength(1)
    const before = JSON.stringify(session.messages()).slice(0, -1)
    await steps(session, 0.9)
    expect(reminders(session)).toHaveLength(1)
    expect(JSON.stringify(session.messages()).startsWith(before)).toBe(true)
    const again = await open(store)
    await again.fit()
    expect(JSON.stringify(again.messages())).toBe(JSON.stringify(session.messages()))
  })

  test('is short, and is nothing that the user sees or that counts as the user’s', async () => {
    const session = await open()
    await session.append(human('Read all.'))
    await steps(session, 0.6)
    const [text = ''] = reminders(session)
    expect(estimateTokens(text)).toBeLessThan(100)
    expect(text).not.toContain('%')
    expect((await session.history()).some(({ origin }) => origin === 'synthetic')).toBe(false)
    expect((await session.facts()).requests).toHaveLength(1)
  })

  test('comes again after a compaction that was done, and not after one that was undone', async () => {
    const session = await open()
    await session.append(human('Read all.'))
    await steps(session, 0.6)
    await session.compact()
    expect(reminders(session)).toEqual([])
    await session.undo()
    await step(session)
    expect(reminders(session)).toHaveLength(1)
    await session.compact()
    await steps(session, 0.6)
    expect(reminders(session)).toHaveLength(1)
  })

  test('waits where a call has failed, where the human speaks, and where a call is open', async () => {
    const session = await open()
    await session.append(human('Read all.'))
    await steps(session, 0.48)
    await step(session, { type: 'error-text', value: 'word '.repeat(1_000) })
    await step(session, 'Exit code 1\nIt failed.')
    await session.append(human('Look again.'))
    await session.fit()
    expect(reminders(session)).toEqual([])
    await session.append(assistant([call('open', 'read')]))
    await session.fit()
    expect(reminders(session)).toEqual([])
    await session.append(tool(result('open', 'read', 'ok')))
    await session.fit()
    expect(reminders(session)).toHaveLength(1)
  })

  test('never comes by default', async () => {
    const session = await open(memoryStore(), defaultPolicy)
    await session.append(human('Read all.'))
    await steps(session, 0.9)
    expect(reminders(session)).toEqual([])
  })
})
