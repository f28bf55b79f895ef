import { expect, test } from 'vitest'
import { openSession } from 'throughline'
import { chronological, contextOf, renderContext } from 'throughline/engine'
import { sqliteStore } from 'throughline/sqlite'
import { recordedAppends, window } from './recorded-appends.ts'

test('a session in a file opens with the context of its whole log', async () => {
  using store = sqliteStore({ file: ':memory:' })
  const appends = await recordedAppends(3_000)
  for (const drafts of appends) await store.append('a', drafts)
  const whole = chronological(await store.read('a'))
  expect(whole.filter(({ kind }) => kind === 'checkpoint').length).toBeGreaterThan(4)
  const session = await openSession({ store, id: 'a', window })
  const { messages } = renderContext(contextOf(whole).items, session.policy.summaryRole)
  expect(session.messages()).toEqual(messages)
  expect(messages.length).toBeLessThan(1_000)
})
