import { expect, it } from 'vitest'
import { newFile } from '../testing/run-main.ts'
import { testStoreWithSession } from '../testing/new-store.ts'

it('undo brings the context back as it was, one compaction after the other', async () => {
  const { done, json, fails } = await testStoreWithSession()
  const contexts = [await done('report', '--history', 'made', '--context')]
  for (const window of ['64k', '32k', '16k']) {
    await done('compact', 'made', '--window', window).catch(() => undefined)
    contexts.push(await done('report', '--history', 'made', '--context'))
  }
  expect(new Set(contexts).size).toBe(4)
  const history = await done('report', '--history', 'made')
  for (const context of contexts.toReversed().slice(1)) {
    expect(await done('undo', 'made')).toMatch(
      /^Undid the (compaction|pruning) at entry \d+ of made: its context now holds [\d,]+ tokens instead of [\d,]+\. Nothing that was said is lost\.\nTo compact it again: throughline compact made\n$/,
    )
    expect(await done('report', '--history', 'made', '--context')).toBe(context)
  }
  expect(await done('report', '--history', 'made')).toBe(history)
  expect(await fails(1, ['undo', 'made'])).toContain('has no active compaction')
  await done('compact', 'made')
  const { undone, tokens } = await json('undo', 'made')
  expect(undone).toBeGreaterThan(170)
  expect(tokens.after).toBeGreaterThan(tokens.before)
})

it('undo says when the context is more than its window takes again', async () => {
  const { done, json } = await testStoreWithSession()
  await done('compact', 'made', '--keep', '4k')
  const { tokens } = await json('undo', 'made')
  const config = newFile(
    'small.json',
    JSON.stringify({ models: { claude: { window: Math.round(tokens.after * 0.8) } } }),
  )
  await done('compact', 'made', '--keep', '4k', '--config', config)
  expect(await done('undo', 'made', '--config', config)).toMatch(
    /\nThat is more than its window takes, which is [\d,]+ tokens: a client would refuse it\.\nTo compact it again/,
  )
})
