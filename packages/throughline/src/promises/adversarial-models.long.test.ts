import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy, type Policy } from '../compaction/policy.ts'
import { preparedAttempts } from '../compaction/prepare/prepare.ts'
import { summaryProblems } from '../compaction/summary/check.ts'
import { defaultTemplate } from '../compaction/summary/template.ts'
import { messageText } from '../log/message.ts'
import { ThroughlineError } from '../log/throughline-error.ts'
import { run } from '../session/loop/loop.ts'
import { openSession, type Session } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import {
  adversarialSummarizer,
  adversary,
  arbitraryMoves,
  arbitraryReplies,
} from '../testing/generate/adversary.ts'
import { full, runs } from '../testing/generate/runs.ts'
import { illegalities } from '../testing/legal.ts'
import type { SessionEvent } from '../session/events.ts'

const requests = ['Fix the parser.', 'Never push to main. Go on.', 'sửa lỗi giúp tôi', 'And now?']
const pinned = 'Keep the lockfile as it is.'

const policies: Record<string, Partial<Policy>> = {
  // Summaries, again and again, of which most are begun before they are needed.
  eager: {
    prepareAt: (usable) => Math.floor(usable * 0.4),
    lowWater: (usable) => Math.floor(usable * 0.8),
    prune: () => undefined,
  },
  'by default': {},
  'never before it is needed': { prepareAt: (usable) => usable },
}

const arbitraryCase = fc.record({
  moves: arbitraryMoves,
  replies: arbitraryReplies,
  window: fc.constantFrom(5_000, 8_000, 16_000),
  policy: fc.constantFrom(...Object.keys(policies), 'eager'),
  between: fc.array(fc.constantFrom('nothing', 'compact', 'undo', 'pin', 'focus', 'abort'), {
    minLength: 2,
    maxLength: 5,
  }),
})

type Case = typeof arbitraryCase extends fc.Arbitrary<infer Value> ? Value : never

/** An agent that is run again and again, whatever happens, and what is wrong with each request. */
async function lived({ moves, replies, window, policy, between }: Case, auto: boolean) {
  const model = adversary(moves)
  const summarizer = adversarialSummarizer(replies)
  const events: SessionEvent[] = []
  const wrong: string[] = []
  const store = memoryStore()
  const open = (): Promise<Session> =>
    openSession({
      store,
      id: 'a',
      window: { context: window },
      policy: { ...defaultPolicy, ...policies[policy], auto },
      summarizer,
      now: () => 0,
      onEvent: (event) => events.push(event),
    })
  const session = await open()
  let log: string[] = []
  for (const [turn, action] of between.entries()) {
    const request = requests[turn % requests.length] ?? ''
    await session.say(request)
    const controller = new AbortController()
    let steps = 0
    await typed(() =>
      run({
        session,
        maxSteps: 12,
        signal: controller.signal,
        step: (asked, options) => {
          wrong.push(...illegalities(asked.messages))
          const { tokens } = session.measure()
          if (auto && tokens >= session.budget().usable) wrong.push(`a request of ${tokens} tokens`)
          const texts = asked.messages.map(messageText)
          if (!texts.some((text) => text.includes(request))) wrong.push(`no "${request}"`)
          if (summarizer.open > 1) wrong.push(`${summarizer.open} summaries at once`)
          if (action === 'abort' && ++steps > 3) controller.abort()
          return model(asked, options)
        },
      }),
    )
    await typed(() => act(session, action))
    const grown = (await session.log()).map((entry) => JSON.stringify(entry))
    if (log.some((line, index) => line !== grown[index])) wrong.push('the log was changed')
    log = grown
  }
  await session.close()
  return { session, events, wrong, summarizer, again: await open() }
}

async function act(session: Session, action: string): Promise<unknown> {
  switch (action) {
    case 'compact':
      return session.compact()
    case 'focus':
      return session.compact({ focus: 'the tests' })
    case 'undo':
      return session.undo()
    case 'pin':
      return session.pin(pinned)
    default:
      return undefined
  }
}

/** Whatever fails says what it is. */
async function typed(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!ThroughlineError.isInstance(error)) throw error
  }
}

const count = (events: readonly SessionEvent[], type: SessionEvent['type']): number =>
  events.filter((event) => event.type === type).length

describe('with a model and a summarizer that answer at random', () => {
  it('every request is legal and fits, nothing is lost, and the calls are bounded', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(arbitraryCase, async (given) => {
        const { session, events, wrong, summarizer, again } = await lived(given, true)
        const log = await session.log()
        for (const event of events) {
          seen.add(event.type)
          if (event.type === 'compaction-finished' && event.report.prepared) seen.add('prepared')
        }
        expect(wrong).toEqual([])
        // G1, G10: what was said is all there, and nothing else is shown.
        const said = log.filter((entry) => entry.kind === 'message' && entry.origin !== 'synthetic')
        expect(await session.history()).toEqual(said)
        // G3: what a compaction and what its preparation may ask.
        const most =
          count(events, 'compaction-started') * defaultPolicy.attempts +
          count(events, 'preparation-started') * preparedAttempts
        expect(summarizer.calls).toBeLessThanOrEqual(most)
        expect(summarizer.open).toBe(0)
        // G5: each that is in the log was told once.
        const made = log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune')
        const told = events.filter(
          (event) => event.type === 'compaction-finished' && event.report.action !== 'none',
        )
        expect(told).toHaveLength(made.length)
        for (const entry of log) {
          if (entry.kind !== 'checkpoint') continue
          const limits = { template: defaultTemplate, budget: Infinity, count: () => 0 }
          expect(summaryProblems({ text: entry.summary, finish: 'stop' }, limits)).toEqual([])
        }
        // G9: whoever opens the session sees the same.
        expect(again.messages()).toEqual(session.messages())
      }),
      runs(40),
    )
    // One is discarded in one life of a hundred, depending on the machine's speed.
    const ways = ['prepared', 'preparation-failed', ...(full ? ['preparation-discarded'] : [])]
    for (const way of ways) expect(seen).toContain(way)
  })

  it('G12: off means off, also for what would be prepared', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCase, async (given) => {
        const between = given.between.map((action) => (action === 'abort' ? action : 'nothing'))
        const { session, events, wrong, summarizer } = await lived({ ...given, between }, false)
        expect(wrong).toEqual([])
        expect(summarizer.calls).toBe(0)
        expect(count(events, 'preparation-started')).toBe(0)
        const kinds = (await session.log()).map(({ kind }) => kind)
        expect(kinds).not.toContain('checkpoint')
        expect(kinds).not.toContain('prune')
      }),
      runs(5),
    )
  })
})
