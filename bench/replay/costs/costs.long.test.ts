import { runReplay } from '../run-replay.ts'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../../../packages/throughline/src/compaction/policy.ts'
import {
  assistant,
  human,
  logFrom,
  step,
} from '../../../packages/throughline/src/testing/generate/build.ts'
import { estimateTokens } from '../../../packages/throughline/src/tokens/estimate.ts'
import { createMessageCounter } from '../../../packages/throughline/src/tokens/message-tokens.ts'
import { claudeSession } from '../../../packages/throughline/src/cli/testing/claude-session.ts'
import { newFile } from '../../../packages/throughline/src/cli/testing/run-main.ts'
import { policyCosts } from './policy-costs.ts'
import { pricesOption } from '../../../packages/throughline/src/cli/sizes/prices-option.ts'
import type { EntryDraft } from '../../../packages/throughline/src/log/entry.ts'
import type { Chronological } from '../../../packages/throughline/src/log/order.ts'

const path = newFile('session.jsonl', claudeSession({ turns: 12, steps: 6 }))
const prices = { input: 3, output: 15 }
const minute = 60_000

function costsOf(log: Chronological, context: number) {
  return policyCosts(
    log,
    {
      window: { context },
      policy: defaultPolicy,
      frame: {},
      signal: new AbortController().signal,
      onProgress: async () => {},
      now: () => 0,
    },
    prices,
  )
}

function at(minutes: number, drafts: readonly EntryDraft[]): EntryDraft[] {
  return drafts.map((draft) => ({ ...draft, at: minutes * minute }))
}

describe('what a replayed session costs', () => {
  it('is the sum that can be made by hand, with a cache that forgets after five minutes', async () => {
    const said = [human('one'), assistant('two '.repeat(50)), human('three'), assistant('four')]
    const later = [human('five'), assistant('six')]
    const log = logFrom([at(0, said), at(10, later)])
    const count = createMessageCounter(estimateTokens)
    const [one, two, three, four, five, six] = log.map((entry) =>
      entry.kind === 'message' ? count(entry.message) : 0,
    ) as [number, number, number, number, number, number]
    const read = one
    const written = one + (two + three) + (one + two + three + four + five)
    const dollars = (read * 0.3 + written * 3.75 + (two + four + six) * 15) / 1_000_000
    for (const cost of await costsOf(log, 200_000)) {
      expect(cost.dollars).toBeCloseTo(dollars, 10)
      expect(cost).toMatchObject({ compactions: 0, tooLarge: 0, summaries: { calls: 0 } })
      expect(cost.requests.requests).toBe(3)
    }
  })

  it('marks what would not have fit without compaction, and pays for a model’s summaries', async () => {
    const steps = Array.from({ length: 60 }, (_, n) =>
      step(`c${n}`, 'Read', { file_path: `f${n}.ts` }, `const v${n} = 1\n`.repeat(200)),
    )
    const log = logFrom([human('go'), steps, assistant('done')])
    const costs = await costsOf(log, 32_000)
    const [client, none, seed, model, code] = costs
    expect(client).toMatchObject({ tooLarge: none?.tooLarge, compactions: 0 })
    expect(costs.map(({ policy }) => policy)).toEqual([
      'client',
      'none',
      'seed',
      'own, by a model',
      'own, by code',
      'economic',
    ])
    expect(none?.tooLarge).toBeGreaterThan(20)
    expect(none?.compactions).toBe(0)
    for (const cost of [seed, model, code]) {
      expect(cost).toMatchObject({ tooLarge: 0 })
      expect(cost?.stoppedAfter).toBeUndefined()
      expect(cost?.compactions).toBeGreaterThan(0)
    }
    // Each summary is asked for once: it passes the check.
    expect(seed?.summaries.calls).toBe(seed?.compactions)
    expect(model?.summaries.calls).toBeLessThanOrEqual(model?.compactions ?? 0)
    expect(code?.summaries).toEqual({ calls: 0, dollars: 0 })
  })

  it('counts what its own client did: its compactions, and the requests for them', async () => {
    const steps = Array.from({ length: 20 }, (_, n) =>
      step(`c${n}`, 'Read', { file_path: `f${n}.ts` }, `const v${n} = 1\n`.repeat(200)),
    )
    const checkpoint = {
      kind: 'checkpoint' as const,
      at: 0,
      base: 41,
      summary: 'Much was read.',
      summarizer: 'claude-code',
      tail: [],
      continuation: null,
      metadata: {},
    }
    const plain = logFrom([human('go'), steps, steps, assistant('done')])
    const compacted = logFrom([human('go'), steps, checkpoint, steps, assistant('done')])
    const [without] = await costsOf(plain, 200_000)
    const [client] = await costsOf(compacted, 200_000)
    expect(client).toMatchObject({ compactions: 1, summaries: { calls: 1 } })
    expect(client?.summaries.dollars).toBeGreaterThan(0)
    expect(client?.requests.usage.inputTokens).toBeLessThan(
      (without?.requests.usage.inputTokens ?? 0) * 0.8,
    )
  })

  it('says where a policy could not go on', async () => {
    const log = logFrom([human('go'), assistant('yes'), human('x '.repeat(60_000)), assistant('')])
    const [, none, seed] = await costsOf(log, 32_000)
    expect(none).toMatchObject({ tooLarge: 1 })
    expect(none?.stoppedAfter).toBeUndefined()
    expect(seed).toMatchObject({ stoppedAfter: 1 })
  })
})

describe('replay --prices', () => {
  it('prints a row for each policy', async () => {
    const argv = [path, '--window', '32k', '--prices', 'in=3,out=15', '--quiet']
    const { code, out } = await runReplay(argv)
    expect(code).toBe(0)
    expect(out).toMatch(/^Cost$/m)
    expect(out).toMatch(/^its own client .* \$\d+\.\d\d {2}\d+ too large$/m)
    expect(out).toMatch(/^no compaction .* \$\d+\.\d\d {2}\d+ too large$/m)
    expect(out).toMatch(/^the seeds, by a model .* \$\d+\.\d\d$/m)
    expect(out).toMatch(/^this, by a model .* \$\d+\.\d\d$/m)
    expect(out).toMatch(/^this, by code .* \$\d+\.\d\d$/m)
    expect(out).toContain('$3 in, $15 out, $0.3 from the cache, $3.75 into it')
  })

  it('has the same in JSON, with the tokens that the replay counts', async () => {
    const prices = 'in=2,out=8,cache-read=0.5,cache-write=2'
    const argv = [path, '--window', '32k', '--prices', prices, '--quiet', '--json']
    const { out } = await runReplay(argv)
    const { costs, tokens, requests, compactions } = JSON.parse(out)
    expect(costs.dollarsPerMillionTokens).toEqual({
      input: 2,
      output: 8,
      cacheRead: 0.5,
      cacheWrite: 2,
    })
    const [client, none, , , code] = costs.policies
    // A session that its client never compacted cost the same as without compaction.
    expect(client.dollars).toBeCloseTo(none.dollars, 1)
    expect(Math.abs(none.requests.inputTokens - tokens.uncompacted)).toBeLessThan(requests.length)
    expect(Math.abs(code.requests.inputTokens - tokens.sent)).toBeLessThan(requests.length)
    expect(code.compactions).toBe(compactions.length)
    expect(code.dollars).toBeLessThan(none.dollars)
    expect((await runReplay([path, '--json', '--quiet'])).out).not.toContain('"costs"')
  })
})

describe('pricesOption', () => {
  it('takes prices, the name of a model, or the session’s model', () => {
    expect(pricesOption('replay', undefined, undefined)).toBeUndefined()
    expect(pricesOption('replay', 'in=3, out=15', undefined)).toEqual({ input: 3, output: 15 })
    expect(pricesOption('replay', 'in=3,out=15,cache-read=0,cache-write=3.75', undefined)).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0,
      cacheWrite: 3.75,
    })
    const sonnet = pricesOption('replay', 'claude-sonnet-4-5', undefined)
    expect(sonnet?.input).toBeGreaterThan(0)
    expect(pricesOption('replay', 'model', 'claude-sonnet-4-5')).toEqual(sonnet)
  })

  it.each([
    ['in=3', undefined, '--prices needs at least in and out; use in=3,out=15,'],
    ['in=3,ut=15', undefined, '--prices contains "ut=15", which is not a price; use in=3,out=15,'],
    ['in=3,out=-1', undefined, '--prices contains "out=-1", which is not a price; use'],
    ['in=3,__proto__=1', undefined, '--prices contains "__proto__=1", which is not a price; use'],
    [
      'in=3,constructor=1',
      undefined,
      '--prices contains "constructor=1", which is not a price; use',
    ],
    ['no-such-model', undefined, 'the prices of "no-such-model" are unknown; use --prices in=3'],
    ['model', undefined, 'the session does not say which model it used; use --prices in=3'],
    ['model', 'own-model', 'the prices of "own-model" are unknown; use --prices in=3'],
  ])('refuses %j of model %j', (value, model, message) => {
    expect(() => pricesOption('replay', value, model)).toThrow(message)
  })
})
