import { expect, it } from 'vitest'
import { claudeSession } from './testing/claude-session.ts'
import { harnessHome } from './testing/harness-home.ts'
import { testStoreWithSession } from './testing/new-store.ts'
import { runMain } from './testing/run-main.ts'

it('one context has one figure, whichever command tells it', async () => {
  const { done, json } = await testStoreWithSession()
  for (const keep of ['8k', '5k']) {
    const { report, plan } = await json('compact', 'made', '--keep', keep)
    const { before, after } = report.tokens
    expect(before).toBe(plan.measurement.messages)
    const [listed] = (await json('list', '--stored')).sessions
    const inspected = await json('report', '--fill', 'made')
    expect({ listed: listed.tokens, inspected: inspected.context.tokens, of: keep }).toEqual({
      listed: after,
      inspected: after,
      of: keep,
    })
    expect(after).toBeLessThanOrEqual(Number.parseInt(keep, 10) * 1_000)
    const compared = await json('report', '--diff', 'made')
    expect([compared.before.tokens, compared.after.tokens]).toEqual([before, after])
    const { tokens } = await json('undo', 'made')
    expect(tokens).toEqual({ before: after, after: before })
    expect(await done('list', '--stored')).toContain(before.toLocaleString('en-US'))
  }
})

/** A session whose client noted three tokens of each answer, and answered once by itself. */
function notedEarly(): string {
  const records = claudeSession({ turns: 3, steps: 6 })
    .trimEnd()
    .split('\n')
    .map((line): ReturnType<typeof JSON.parse> => JSON.parse(line))
  const answers = records.filter(({ type }) => type === 'assistant')
  answers.at(-1).message.content = [{ type: 'text', text: 'It is done, all of it. '.repeat(900) }]
  let sent = 15_000
  for (const { type, message } of records) {
    if (type === 'assistant') message.usage = { input_tokens: Math.round(sent), output_tokens: 3 }
    sent += JSON.stringify(message.content).length / 3.4
  }
  const own = structuredClone(answers.at(-1))
  Object.assign(own.message, { id: 'own', model: '<synthetic>', usage: undefined })
  own.message.content = [{ type: 'text', text: 'The service is busy.' }]
  Object.assign(own, { uuid: 'uuid-own', parentUuid: records.at(-1).uuid })
  return [...records, own].map((record) => `${JSON.stringify(record)}\n`).join('')
}

it('a session has one cost and one next request, whichever command tells it', async () => {
  const { env, home, put } = harnessHome()
  const id = 'f0000000-0000-4000-8000-000000000001'
  put('claude-code', id, notedEarly())
  const told = async (...argv: string[]): Promise<ReturnType<typeof JSON.parse>> =>
    JSON.parse((await runMain([...argv, '--json'], { env, cwd: home })).out)
  const [listed] = (await told('list')).sessions
  const inspected = await told('report', '--fill', id)
  const { model: reported } = await told('report', id).then((whole) =>
    'model' in whole ? whole : { model: whole },
  )
  expect(listed.cost.dollars).toBeGreaterThan(0)
  expect(inspected.cost.dollars).toBeCloseTo(listed.cost.dollars, 6)
  expect(inspected.cost.requests).toBe(reported.money.requests)
  expect(reported.money.dollars).toBeCloseTo(listed.cost.dollars, 6)
  expect(inspected.context.measurement.tokens).toBe(listed.tokens.count)
  const { err } = await runMain(['compact', id], { env, cwd: home })
  expect(err).toContain(`the provider counted ${listed.tokens.count.toLocaleString('en-US')}`)
  expect(Math.round(reported.now.tokens)).toBe(Math.round(listed.tokens.count))
})
