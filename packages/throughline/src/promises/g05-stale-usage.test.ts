import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContextFloorError } from '../compaction/errors.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { openSession, type Session } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, call, human, result, step, tool } from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { scriptedSummarizer } from '../testing/scripted/scripted-summarizer.ts'
import type { Entry, EntryDraft, Usage } from '../log/entry.ts'

/** What a provider says of a request, by what we make of it. */
type Reports = 'nothing' | 'the truth' | 'that it is full' | 'five windows' | 'zero' | 'a millionth'

type Event =
  | { does: 'work'; lines: number; output: boolean; reports: Reports }
  | { does: 'say' | 'gate' | 'compact' | 'undo' | 'redact' | 'answer late' }

const reports: readonly Reports[] = [
  'nothing',
  'nothing',
  'the truth',
  'that it is full',
  'five windows',
  'zero',
  'a millionth',
]

const arbitraryEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('work' as const),
      lines: fc.integer({ min: 1, max: 400 }),
      output: fc.boolean(),
      reports: fc.constantFrom(...reports),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'say' as const,
        'gate' as const,
        'gate' as const,
        'compact' as const,
        'undo' as const,
        'redact' as const,
        'answer late' as const,
      ),
    }),
  },
)

const changing: ReadonlySet<Entry['kind']> = new Set(['checkpoint', 'prune', 'rewind'])

const totalOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens

/** What we count of the next request ourselves. */
const ownCount = (session: Session): number => session.estimate() * session.counter.ratio

/**
 * Why a session may be compacted now: it is too large by our count; or a provider has said so, of
 * a request that it got after the last compaction, and in a figure that can be true.
 */
async function reasonOf(session: Session): Promise<string | undefined> {
  const { threshold } = session.budget()
  const own = ownCount(session)
  if (own >= threshold - 2) return 'our own count'
  const log = await session.log()
  const since = log.slice(log.findLastIndex(({ kind }) => changing.has(kind)) + 1)
  const told = since.some(
    (entry) =>
      entry.kind === 'message' &&
      entry.usage &&
      totalOf(entry.usage) + own >= threshold &&
      totalOf(entry.usage) <= own * 4.1,
  )
  return told ? 'a report of after the last compaction' : undefined
}

function usageOf(session: Session, what: Reports, context: number): Usage | undefined {
  const inputTokens = {
    nothing: undefined,
    'the truth': Math.ceil(ownCount(session)),
    'that it is full': session.budget().threshold,
    'five windows': context * 5,
    zero: 0,
    'a millionth': 1e-6,
  }[what]
  return inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 }
}

interface Seen {
  compactions: number
  afterReport: number
  prepared: number
  quiet: number
}

/** The gate before a request; a compaction needs a reason that came after the one before it. */
async function gate(session: Session, seen: Seen): Promise<void> {
  const reason = await reasonOf(session)
  const report = await session.fit()
  if (report.action === 'none') {
    seen.quiet += 1
    return
  }
  seen.compactions += 1
  if (report.prepared) seen.prepared += 1
  if (reason?.startsWith('a report')) seen.afterReport += 1
  expect(reason).toBeDefined()
  expect((await session.fit()).action).toBe('none')
  await session.append(assistant('and on'))
  expect((await session.fit()).action).toBe('none')
}

async function act(session: Session, event: Event, number: number, seen: Seen): Promise<void> {
  const context = session.window.context
  switch (event.does) {
    case 'work': {
      await gate(session, seen)
      const text = `const value${number} = ${number}\n`.repeat(event.lines)
      const usage = usageOf(session, event.reports, context)
      if (!event.output) {
        await session.append(assistant(text, usage && { usage }))
        return
      }
      const id = `c${number}`
      await session.append(
        assistant([call(id, 'Read', { file_path: `src/${number}.ts` })], usage && { usage }),
        tool(result(id, 'Read', text)),
      )
      return
    }
    case 'say':
      await session.append(human(`and look at the number ${number}`))
      return
    case 'gate':
      return gate(session, seen)
    case 'compact':
      await session.compact()
      return
    case 'undo':
      await session.undo().catch(() => undefined)
      return
    case 'redact':
      await session.redact({ text: `value${number - 1} = ` })
      return
    case 'answer late': {
      const id = `late${number}`
      const usage = { inputTokens: session.budget().threshold, outputTokens: 0 }
      await session.append(assistant([call(id, 'Read')], { usage }), human('are you there?'))
      await session.append(tool(result(id, 'Read', 'here it is')))
    }
  }
}

describe('G5: usage from before a compaction compacts nothing', () => {
  it('whatever providers report, in what order things happen, and what is prepared meanwhile', async () => {
    const seen: Seen = { compactions: 0, afterReport: 0, prepared: 0, quiet: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryEvent, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(8_000, 16_000, 32_000),
        fc.constantFrom(0.3, 0.5, 0.7),
        fc.boolean(),
        async (events, context, prepared, byModel) => {
          await using session = await openSession({
            store: memoryStore(),
            id: 'a',
            window: { context },
            now: () => 0,
            policy: { ...defaultPolicy, prepareAt: (usable) => Math.floor(usable * prepared) },
            ...(byModel && { summarizer: scriptedSummarizer('good') }),
          })
          await session.append(human('work through all the files'))
          try {
            for (const [number, event] of events.entries()) {
              await act(session, event, number, seen)
              // What is prepared gives way to others, and gets its turns.
              for (let turn = 0; turn < 20; turn++) {
                await new Promise((resolve) => setImmediate(resolve))
              }
            }
          } catch (error) {
            if (!(error instanceof ContextFloorError)) throw error
          }
        },
      ),
      runs(100),
    )
    expect(seen.compactions).toBeGreaterThan(20)
    expect(seen.afterReport).toBeGreaterThan(5)
    expect(seen.prepared).toBeGreaterThan(0)
    expect(seen.quiet).toBeGreaterThan(seen.compactions)
  })

  const sixteen = async (): Promise<Session> =>
    openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 16_000 },
      policy: {
        ...defaultPolicy,
        lowWater: (usable) => Math.floor(usable * 0.7),
        pruneAlone: () => true,
      },
      now: () => 0,
    })
  const compactions = async (session: Session): Promise<number> =>
    (await session.log()).filter(({ kind }) => kind === 'checkpoint' || kind === 'prune').length

  it('where it could be true, too: pruning halves the context, and the answer in its tail overflowed', async () => {
    const session = await sixteen()
    await session.append(human('go'), assistant('word '.repeat(2_000)))
    const { threshold } = session.budget()
    for (let n = 0; ownCount(session) < threshold * 0.9; n++) await session.append(...work(n, 60))
    const usage = { inputTokens: threshold + 10, outputTokens: 0 }
    await session.append(assistant('now I know enough to go on', { usage }))
    expect(ownCount(session)).toBeLessThan(threshold)
    expect((await session.fit()).action).toBe('prune')
    expect(ownCount(session)).toBeGreaterThan(usage.inputTokens / 4)
    for (let gates = 0; gates < 3; gates++) {
      expect((await session.fit()).action).toBe('none')
      await session.append(assistant('and on'))
    }
    expect(await compactions(session)).toBe(1)
    expect(session.measure().source).toBe('estimate')
  })

  it('nor does a report that cannot be true, after each answer', async () => {
    const session = await sixteen()
    await session.append(human('go'))
    for (let n = 0; n < 40; n++) {
      const usage = { inputTokens: n % 2 ? 280_000 : 1, outputTokens: 0 }
      await session.append(...work(n, 10), assistant('on', { usage }))
      const before = ownCount(session)
      const { action } = await session.fit()
      if (action !== 'none') expect(before).toBeGreaterThan(session.budget().threshold - 2)
    }
    expect(await compactions(session)).toBe(0)
  })
})

function work(number: number, lines: number): EntryDraft[] {
  return step(
    `c${number}`,
    'Read',
    { file_path: `src/${number}.ts` },
    'const value = 1\n'.repeat(lines),
  )
}
