import { describe, expect, it } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { unitsOf } from '../log/steps.ts'
import { compactLog } from '../session/once/compact-log.ts'
import { assistant, call, human, logFrom, result, step, tool } from '../testing/generate/build.ts'
import { budgetOf } from './plan/budget.ts'
import { cutBySteps } from './cut/cut.ts'
import { defaultPolicy } from './policy.ts'
import { headingKey } from '../facts/heading-key.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Cut } from './cut/cut.ts'
import type { Chronological } from '../log/order.ts'
import type { Summarizer, SummaryRequest } from './summary/with-model/summarizer.ts'
import { plainCounter } from '../testing/plain-counter.ts'
import { estimatedTokens, modelTokens } from '../tokens/units.ts'

/**
 * What opencode's own tests ask of the same behaviour, as far as the design does not differ on
 * purpose. The titles are theirs, or follow theirs.
 */
const overflows = (
  [context, input, output]: [number, number | undefined, number],
  tokens: number,
): boolean => {
  const window = { context, output, ...(input !== undefined && { input }) }
  return tokens >= budgetOf(defaultPolicy, window, modelTokens(0)).threshold
}

describe('overflow', () => {
  it.each([
    ['when token count exceeds usable context', [100_000, undefined, 32_000], 80_000, true],
    ['when token count is within usable context', [200_000, undefined, 32_000], 110_000, false],
    ['with cache reads in the token count', [100_000, undefined, 32_000], 80_000, true],
    ['at the input limit', [400_000, 272_000, 128_000], 274_000, true],
    ['within input and output caps', [400_000, 272_000, 128_000], 230_000, false],
    ['with output within its limit', [200_000, 120_000, 10_000], 59_999, false],
    ['without headroom below an input limit', [200_000, 200_000, 32_000], 198_000, true],
    ['the same without the input limit', [200_000, undefined, 32_000], 198_000, true],
    ['alike with an input limit', [200_000, 200_000, 32_000], 181_000, true],
    ['alike without one', [200_000, undefined, 32_000], 181_000, true],
  ] as [string, [number, number | undefined, number], number, boolean][])(
    '%s',
    (_, window, tokens, answer) => {
      expect(overflows(window, tokens)).toBe(answer)
    },
  )
})

const words = (count: number): string => 'word '.repeat(count)

const cut = (log: Chronological, budget: number): Cut =>
  cutBySteps({
    units: unitsOf(contextOf(log).items),
    budget: estimatedTokens(budget),
    full: estimatedTokens(budget),
    stretch: estimatedTokens(budget),
    request: estimatedTokens(100_000),
    media: estimatedTokens(0),
    olderMedia: 0,
    tailTurns: 2,
    protectedTools: ['skill'],
    counter: plainCounter((text) => Math.ceil(text.length / 4)),
  })

const seqs = ({ tail }: Cut): number[] =>
  tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : []))

describe('tail', () => {
  const turns = logFrom([
    human('first'),
    assistant('1'),
    human('second'),
    assistant('2'),
    human('third'),
  ])

  it('keeps recent turns within the budget', () => {
    expect(seqs(cut(turns, 10_000))).toEqual([1, 2, 3, 4, 5])
  })

  it('shrinks the retained tail to fit the budget', () => {
    const log = logFrom([human('first'), assistant(words(2_000)), human('tiny'), assistant('ok')])
    expect(seqs(cut(log, 100))).toEqual([1, 3, 4])
    expect(cut(log, 100).tail.some((item) => item.type === 'omission')).toBe(true)
  })

  it('retains the end of a turn that does not fit whole', () => {
    const log = logFrom([
      human('older'),
      assistant('yes'),
      human('turn'),
      step('z', 'read', {}, words(2_000)),
      assistant('keep tail'),
    ])
    expect(seqs(cut(log, 100))).toEqual([1, 3, 6])
  })

  it('keeps the newest media that were answered, and tells the others as text', async () => {
    const shown = (image: string): EntryDraft =>
      human([
        { type: 'text', text: 'look' },
        { type: 'image', image, mediaType: 'image/png' },
      ])
    const log = logFrom([
      human(words(20_000)),
      assistant('ok'),
      shown('b2xk'),
      step('a', 'view', {}, 'seen'),
      shown('bmV3'),
      step('b', 'view', {}, 'seen'),
    ])
    const policy = { ...defaultPolicy, olderMedia: 1 }
    const options = { window: { context: 60_000 }, trigger: 'manual', policy } as const
    const { messages } = await compactLog(log, options)
    expect(JSON.stringify(messages)).not.toContain('b2xk')
    expect(JSON.stringify(messages)).toContain('bmV3')
    expect(JSON.stringify(messages)).toContain('[Attached image/png]')
  })
})

function recorder(): Summarizer & { requests: SummaryRequest[] } {
  const requests: SummaryRequest[] = []
  return {
    name: 'recorder',
    requests,
    summarize: async (request) => {
      requests.push(request)
      const text = request.template.sections
        .map(({ heading }) => `## ${heading}\nthe first summary`)
        .join('\n\n')
      return { text, finish: 'stop' }
    },
  }
}

const big = (from: number): Chronological =>
  logFrom(
    Array.from({ length: 12 }, (_, turn) => [
      human(`u${from + turn} ${words(100)}`),
      step(`c${from + turn}`, 'read', {}, words(600)),
      assistant(`a${from + turn}`),
    ]),
  )

describe('summary', () => {
  it('summarizes only the head while keeping recent tail out of summary input', async () => {
    const summarizer = recorder()
    await compactLog(big(0), { window: { context: 12_000 }, trigger: 'manual', summarizer })
    const sent = JSON.stringify(summarizer.requests[0]?.head)
    expect(sent).toContain('u0')
    expect(sent).not.toContain('a11')
  })

  it('anchors repeated compactions with the previous summary, and once', async () => {
    const summarizer = recorder()
    const first = await compactLog(big(0), {
      window: { context: 12_000 },
      summarizer,
      trigger: 'manual',
    })
    const more = big(100).map((entry, index) => ({ ...entry, seq: first.log.length + index + 1 }))
    const log = [...first.log, ...more] as unknown as Chronological
    await compactLog(log, { window: { context: 12_000 }, summarizer, trigger: 'manual' })
    const request = summarizer.requests.at(-1)
    expect(request?.previous).toContain('the first summary')
    expect(request?.instruction).toContain('Update it')
    expect(JSON.stringify(request?.head)).not.toContain('the first summary')
    expect(JSON.stringify(request?.head)).toContain('u100')
    expect(JSON.stringify(request?.head)).not.toContain('u0 ')
  })

  it('does not allow tool calls while generating the summary', async () => {
    const { report } = await compactLog(big(0), {
      window: { context: 12_000 },
      trigger: 'manual',
      summarizer: { name: 'caller', summarize: async () => ({ text: '', finish: 'tool-calls' }) },
    })
    expect(report.attempts[0]?.problems).toEqual(['it was a tool call instead of a summary'])
    expect(report.summarizer).toBe('local')
  })

  it('tells the summarizer once what was wrong, and then does without it', async () => {
    const summarizer = recorder()
    const silent: Summarizer = {
      name: 'nodding',
      summarize: async (request) => {
        summarizer.requests.push(request)
        return { text: 'Understood.', finish: 'stop' }
      },
    }
    await compactLog(big(0), { window: { context: 12_000 }, trigger: 'manual', summarizer: silent })
    expect(summarizer.requests[0]?.instruction).not.toContain('could not be used')
    expect(summarizer.requests[1]?.instruction).toContain(
      'could not be used: it had 11 characters and none of the headings',
    )
    expect(summarizer.requests).toHaveLength(2)
    expect(headingKey(' Relevant  FILES ')).toBe('relevant files')
  })
})

describe('continuation', () => {
  it('plugins can veto it', async () => {
    const log = logFrom([
      human('go'),
      ...Array.from({ length: 20 }, (_, n) => step(`c${n}`, 'read', {}, words(400))),
    ])
    const { messages } = await compactLog(log, {
      window: { context: 12_000 },
      policy: { ...defaultPolicy, continuation: () => null },
    })
    expect(messages.at(-1)?.role).toBe('tool')
  })

  it('replays the user turn that overflowed without its file, where it was not answered', async () => {
    const log = logFrom([
      big(0),
      human([
        { type: 'text', text: 'and this?' },
        { type: 'file', data: 'aGk=', mediaType: 'image/png', filename: 'cat.png' },
      ]),
    ])
    const { messages } = await compactLog(log, { window: { context: 12_000 }, trigger: 'overflow' })
    expect(messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'and this?' },
        {
          type: 'text',
          text: expect.stringMatching(/^\[Attached image\/png: cat\.png\] \[… left out here/),
        },
      ],
    })
  })

  it('says nothing where the agent has finished and nothing waits, asked for or not', async () => {
    const log = logFrom([big(0)])
    for (const trigger of ['auto', 'manual'] as const) {
      const { messages } = await compactLog(log, { window: { context: 12_000 }, trigger })
      expect(messages.at(-1)).toEqual({ role: 'assistant', content: 'a11' })
    }
  })

  it('says nothing while a call waits for its result', async () => {
    const log = logFrom([
      big(0),
      human('run it'),
      assistant([call('a', 'bash'), call('b', 'bash')]),
      tool(result('a', 'bash', 'ok')),
    ])
    const { messages } = await compactLog(log, { window: { context: 12_000 }, trigger: 'manual' })
    expect(messages.at(-1)?.role).toBe('tool')
    expect(messages.at(-2)?.role).toBe('assistant')
  })
})
