import { expect, it } from 'vitest'
import { testStoreWithSession } from './testing/new-store.ts'

it('one context has one figure, whichever command tells it', async () => {
  const { done, json } = await testStoreWithSession()
  for (const keep of ['8k', '5k']) {
    const { report, plan } = await json('compact', 'made', '--keep', keep)
    const { before, after } = report.tokens
    expect(before).toBe(plan.measurement.messages)
    const [listed] = (await json('sessions')).sessions
    const inspected = await json('inspect', 'made')
    expect({ listed: listed.tokens, inspected: inspected.context.tokens, of: keep }).toEqual({
      listed: after,
      inspected: after,
      of: keep,
    })
    expect(after).toBeLessThanOrEqual(Number.parseInt(keep, 10) * 1_000)
    const { tokens } = await json('undo', 'made')
    expect(tokens).toEqual({ before: after, after: before })
    expect(await done('sessions')).toContain(before.toLocaleString('en-US'))
  }
})
