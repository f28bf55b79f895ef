import { describe, expect, it } from 'vitest'
import { coreHeadings } from '../../../facts/summary/sections/core-sections.ts'
import { openSession, type Session } from '../../../session/session.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { human, step } from '../../../testing/generate/build.ts'
import { keptMark } from './kept-messages.ts'
import { updateParagraph } from '../instruction.ts'
import type { SummaryAnswer, SummaryCall, SummaryRequest } from './summarizer.ts'

const good = coreHeadings
  .map((heading) => `## ${heading}\nWhat ${heading} was. ${'It took a while. '.repeat(30)}`)
  .join('\n\n')
const usage = { inputTokens: 10, outputTokens: 5 }

async function session(
  answer: (request: SummaryRequest) => Pick<SummaryAnswer, 'text' | 'calls'>,
): Promise<{ session: Session; asked: SummaryRequest[] }> {
  const asked: SummaryRequest[] = []
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    summarizer: {
      name: 'own',
      summarize: async (request) => {
        asked.push(request)
        return { ...answer(request), finish: 'stop' }
      },
    },
  })
  await work(session, 0)
  return { session, asked }
}

const work = async (session: Session, round: number): Promise<void> =>
  void (await session.append(
    human('Go on.'),
    ...Array.from({ length: 8 }, (_, n) =>
      step(`c${round}-${n}`, 'Read', { file_path: `${n}.ts` }, 'text '.repeat(3_000)),
    ).flat(),
  ))

describe('asking a model for a summary', () => {
  it('asks once more after an answer that cannot be used, and says what was wrong', async () => {
    const { session: own, asked } = await session(() => ({ text: '' }))
    const report = await own.compact()
    expect(report).toMatchObject({ summarizer: 'local', rung: 'local' })
    expect(report.attempts.map(({ rung, summarizer }) => [rung, summarizer])).toEqual([
      ['model', 'own'],
      ['model', 'own'],
    ])
    expect(asked.map(({ attempt }) => attempt)).toEqual([1, 2])
    const told = asked.map(({ instruction }) => instruction.includes('Your last answer'))
    expect(told).toEqual([false, true])
    expect(asked[1]?.head).toEqual(asked[0]?.head)
    expect(report.attempts[0]).not.toHaveProperty('usage')
  })

  it('asks twice with the whole head and twice with its half where no answer comes', async () => {
    const { session: own, asked } = await session(() => {
      throw new Error('500')
    })
    const report = await own.compact()
    expect(report.attempts.map(({ rung }) => rung)).toEqual([
      'model',
      'model',
      'model-half',
      'model-half',
    ])
    const [first = 0, second = 0, third = 0] = asked.map(({ head }) => head.length)
    expect(second).toBe(first)
    expect(third).toBeLessThan(first)
    expect(third).toBeGreaterThan(0)
    expect(asked[2]?.head.at(-1)).toEqual(asked[0]?.head.at(-1))
  })

  it('leaves out of its list of files what it says of them elsewhere', async () => {
    const files = '- `src/parser.ts` — reads tokens\n- `src/lexer.ts` — to be split'
    const text = `${good.replace('## Relevant files\n', `$&${files}\n`)}\nThe new parser.ts reads tokens.`
    const { session: own } = await session(() => ({
      text: text.replace('What Accomplished was.', 'In parser.ts it reads tokens now.'),
    }))
    await own.compact()
    const summary = own.context().checkpoint?.summary
    expect(summary).not.toContain('— reads tokens')
    expect(summary).toContain('— to be split')
  })

  it.each([
    [401, 'key', 'the key was refused: no'],
    [403, 'key', 'the key was refused: no'],
    [404, 'model', 'the model was not found: no'],
    [400, 'request', 'the request was refused: no'],
    [422, 'request', 'the request was refused: no'],
  ] as const)('asks once where the answer is %i', async (status, refused, problem) => {
    const { session: own, asked } = await session(() => {
      throw Object.assign(new Error('no'), { status })
    })
    const { attempts, summarizer } = await own.compact()
    expect(asked).toHaveLength(1)
    expect(attempts).toMatchObject([{ refused, problems: [problem] }])
    expect(summarizer).toBe('local')
  })

  it('asks with the newer half at once where the whole is too long, and never the same again', async () => {
    const { session: own, asked } = await session(() => {
      throw Object.assign(new Error('prompt is too long: 9000 tokens > 8000 maximum'), {
        status: 400,
      })
    })
    const { attempts, summarizer } = await own.compact()
    expect(attempts).toMatchObject([
      { rung: 'model', refused: 'size' },
      { rung: 'model-half', refused: 'size' },
    ])
    const [whole = 0, half = 0] = asked.map(({ head }) => head.length)
    expect(half).toBeLessThan(whole)
    expect(summarizer).toBe('local')
  })

  it('says no key and no page of a provider', async () => {
    const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4'
    const { session: own } = await session(() => {
      throw Object.assign(new Error(`401 no such key: ${key} <html><body>${key}</body>`), {
        status: 401,
      })
    })
    await own.compact()
    const log = JSON.stringify(await own.log())
    expect(log).toContain('the key was refused: 401 no such key: [redacted] an HTML page')
    expect(log).not.toContain(key)
  })

  it.each<[string, unknown, string]>([
    ['an error', new Error('x'.repeat(2_000)), `the call failed: ${'x'.repeat(500)}`],
    ['a text', 'overloaded', 'the call failed: overloaded'],
    ['anything else', { no: 1 }, 'the call failed: the thrown value is not an error'],
  ])('says what went wrong where %s is thrown', async (_, thrown, problem) => {
    const { session: own, asked } = await session(() => {
      throw thrown
    })
    const { attempts } = await own.compact()
    expect(attempts.map(({ problems }) => problems)).toEqual([
      [problem],
      [problem],
      [problem],
      [problem],
    ])
    expect(asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
  })

  it('does not take a summary of another session', async () => {
    const names = [
      'src/cart/Cart.tsx',
      'useCheckout',
      'src/api/orders.ts',
      'orderSchema',
      'postOrder',
    ]
    const files = ['src/pages/Checkout.tsx', 'src/lib/stripe.ts', 'CheckoutForm', 'CartProvider']
    const other = `${good}\n${[...names, ...files].map((name) => `- \`${name}\` was made.`).join('\n')}`
    const { session: own } = await session(() => ({ text: other }))
    const report = await own.compact()
    expect(report).toMatchObject({ summarizer: 'local', rung: 'local' })
    expect(report.attempts[0]?.problems.join()).toContain('hardly anything that this session holds')
  })

  it('takes what only the newer half brought, and says so', async () => {
    let calls = 0
    const { session: own } = await session(() => {
      calls += 1
      if (calls <= 2) throw new Error('500')
      return { text: good }
    })
    expect(await own.compact()).toMatchObject({ rung: 'model-half', summarizer: 'own' })
    expect(own.context().checkpoint?.metadata['rung']).toBe('model-half')
  })

  it('asks once more where an answer has no text at all', async () => {
    const { session: own } = await session(() => ({ text: undefined as never }))
    const { attempts } = await own.compact()
    expect(attempts.map(({ problems }) => problems)).toEqual([
      ['it had no text'],
      ['it had no text'],
    ])
  })

  it('tells an attempt nothing that follows one without an answer', async () => {
    const { session: own, asked } = await session(() => {
      throw new Error('500')
    })
    await own.compact()
    expect(asked.map(({ instruction }) => instruction.includes('Your last answer'))).toEqual(
      Array.from({ length: 4 }, () => false),
    )
  })

  it('takes the first that is good, and has it update the one before', async () => {
    const { session: own, asked } = await session(() => ({ text: good }))
    expect(await own.compact()).toMatchObject({ summarizer: 'own', rung: 'model' })
    await work(own, 1)
    expect(await own.compact()).toMatchObject({ summarizer: 'own', rung: 'model' })
    expect(asked.map(({ attempt }) => attempt)).toEqual([1, 1])
    expect(asked.map(({ instruction }) => instruction.includes(updateParagraph))).toEqual([
      false,
      true,
    ])
    expect(asked[0]?.previous).toBeUndefined()
    expect(asked[1]?.previous).toContain('What Goal was.')
  })

  it('puts back what an update leaves out', async () => {
    const found = 'The pool holds one connection only, hence Redis answers in 40 ms.'
    const first = good.replace('What Discoveries was.', `- ${found}`)
    let answers = 0
    const { session: own } = await session(() => ({ text: answers++ === 0 ? first : good }))
    await own.compact()
    await work(own, 1)
    await work(own, 2)
    await own.compact()
    const summary = own.context().checkpoint?.summary ?? ''
    expect(answers).toBe(2)
    expect(summary).toContain(found)
  })

  it('shows it what the human said that stays, marked as kept', async () => {
    const { session: own, asked } = await session(() => ({ text: good }))
    await own.append(human('Never mind the tests, mend the lexer first.'))
    await own.compact()
    const last = asked[0]?.head.at(-1)
    expect(last?.role).toBe('user')
    expect(last?.content).toBe(`${keptMark}\nNever mind the tests, mend the lexer first.`)
    expect(own.messages().some(({ content }) => content === last?.content)).toBe(false)
  })

  it('asks for what it can hold in tokens and words, and keeps what comes longer', async () => {
    const long = good.replace('What Discoveries was.', '- One more finding.\n'.repeat(3_000))
    const { session: own, asked } = await session(() => ({ text: long }))
    const report = await own.compact()
    expect(report).toMatchObject({ rung: 'model', attempts: [{ problems: [] }] })
    const [, words, tokens] =
      /about (\d+) words \((\d+) tokens\)/.exec(asked[0]?.instruction ?? '') ?? []
    expect(Number(words)).toBeLessThan(Number(tokens) / 2)
    const summary = own.context().checkpoint?.summary ?? ''
    expect(summary).toContain('- One more finding.')
    expect(summary).toContain('What Accomplished was.')
  })

  it.each<[string, SummaryCall[], object | undefined]>([
    [
      'all',
      [
        { model: 'm', usage, cost: 1 },
        { model: 'm', usage, cost: 2 },
      ],
      { usage: { inputTokens: 20, outputTokens: 10 }, cost: 3 },
    ],
    [
      'some',
      [
        { model: 'm', usage },
        { model: 'm', failed: true },
      ],
      { usage },
    ],
    ['none', [{ model: 'm' }], undefined],
  ])('tells what an attempt took where %s of its calls say it', async (_, calls, told) => {
    const { session: own } = await session(() => ({ text: good, calls }))
    const [attempt] = (await own.compact()).attempts
    if (told) expect(attempt).toMatchObject(told)
    else expect(attempt).not.toHaveProperty('usage')
    expect(attempt?.calls).toEqual(calls)
  })
})
