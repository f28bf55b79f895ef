import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { PinBudgetError } from '../compaction/errors.ts'
import { messageText } from '../log/message.ts'
import { openSession, type Session } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, human, step } from '../testing/generate/build.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'

const rules = [
  'Never push to the remote.',
  'Use pnpm, not npm.',
  'Luôn trả lời bằng tiếng Việt.',
  '不要修改配置文件。',
  '必ずテストを実行してください。',
  '절대로 main 브랜치에 푸시하지 마세요.',
  'Никогда не изменяй файлы миграций.',
  'No uses nunca console.log en producción.',
  'Verwende niemals globale Variablen.',
]

const work = (round: number): EntryDraft[] =>
  Array.from({ length: 12 }, (_, n) =>
    step(
      `c${round}-${n}`,
      'Read',
      { file_path: `src/f${round}-${n}.ts` },
      'const a = 1\n'.repeat(150),
    ),
  ).flat()

const visible = (session: Session): string => session.messages().map(messageText).join('\n')

/** Good enough to be taken, and nothing of what the human said is in it. */
const forgetful: Summarizer = {
  name: 'forgetful',
  summarize: async ({ template }) => ({
    text: template.sections.map(({ heading }) => `## ${heading}\n- The work went on.`).join('\n\n'),
    finish: 'stop',
  }),
}

const summarizers: [string, { summarizer?: Summarizer }][] = [
  ['code', {}],
  ['a summarizer that forgets everything', { summarizer: forgetful }],
]

describe('G7: what the human said stands', () => {
  it.each(summarizers)(
    'rules, pins and the latest request survive twenty compactions by %s',
    async (_, own) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 24_000 },
        ...own,
      })
      for (const [n, rule] of rules.entries()) {
        await session.append(
          human(`Please look at part ${n}.\n${rule}\nThen report.`),
          assistant('I will.'),
        )
      }
      await session.pin('The release is on Friday, 14:00 UTC.')
      for (let round = 0; round < 20; round++) {
        const request = `Request ${round}: please rework module number ${round} completely.`
        await session.append(human(request), ...work(round))
        const report = await session.compact()
        expect(report).toMatchObject({
          action: 'summary',
          summarizer: own.summarizer?.name ?? 'local',
        })
        const text = visible(session)
        for (const rule of rules) expect(text).toContain(rule)
        expect(text).toContain('The release is on Friday, 14:00 UTC.')
        expect(text).toContain(request)
      }
    },
  )

  it.each(summarizers)(
    'a rule that is taken back is listed as taken back by %s',
    async (_, own) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 24_000 },
        ...own,
      })
      await session.append(human('Never push to the remote.'), assistant('ok'), ...work(0))
      await session.append(human('You can push to the remote now.'), assistant('ok'), ...work(1))
      await session.append(human('Go on.'), ...work(2))
      expect((await session.compact()).summarizer).toBe(own.summarizer?.name ?? 'local')
      expect(visible(session)).toMatch(/[Tt]aken back[^\n]*Never push to the remote\./)
    },
  )

  it.each(summarizers)(
    'however much a request holds, rules have room in a summary by %s',
    async (_, own) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 16_000 },
        ...own,
      })
      const many = Array.from(
        { length: 120 },
        (__, n) => `Never change the file number ${n} of the vendor folder.`,
      )
      for (let n = 0; n < many.length; n += 20) {
        const said = many.slice(n, n + 20).join('\n')
        await session.append(human(said), assistant('I will not.'))
      }
      await session.append(...work(0))
      const request = `Please rework the printer. ${'It should be simple. '.repeat(850)}`
      await session.append(human(request), ...work(1))
      expect((await session.compact()).action).toBe('summary')
      const text = visible(session)
      for (const rule of many) expect(text).toContain(rule)
      expect(text).toContain(request)
    },
  )

  it.each(summarizers)(
    'however many rules code found, the newest stand and nothing is an error, by %s',
    async (_, own) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 32_000 },
        ...own,
      })
      const rule = (n: number): string => `Never change the file number ${n} of the vendor folder.`
      for (let n = 0; n < 2_000; n += 500) {
        const said = Array.from({ length: 500 }, (__, index) => rule(n + index)).join('\n')
        await session.append(human(said), assistant('I will not.'), ...work(n))
      }
      await session.append(human('Go on.'), ...work(1))
      for (let round = 0; round < 2; round++) {
        expect((await session.compact()).action).toBe('summary')
        expect(visible(session)).toContain(rule(1_999))
        expect(visible(session)).toMatch(/\d older rules of the human are left out here/)
        await session.append(human('Go on.'), ...work(round))
      }
    },
  )

  it('of a request that is too large, the beginning and the end stand word for word', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 10_000 },
    })
    const words = 'It should be simple. '.repeat(2_000)
    const request = `Please rework the printer. ${words}Then say so.`
    await session.append(human('hello'), ...work(0), human(request), ...work(1))
    expect((await session.compact()).action).toBe('summary')
    expect(visible(session)).toContain(request.slice(0, 2_500))
    expect(visible(session)).toContain(request.slice(-2_500))
  })

  it('a pin that is taken back is listed as taken back', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
    })
    await session.append(human('go'), ...work(0))
    const pin = await session.pin('The release is on Friday.')
    await session.compact()
    await session.unpin(pin)
    await expect(session.unpin(pin)).rejects.toMatchObject({ code: 'PIN_NOT_FOUND', pins: [] })
    await session.append(human('and now this'), ...work(1))
    await session.compact()
    expect(visible(session)).toContain('Taken back: The release is on Friday.')
    expect(visible(session)).not.toContain('## Pinned')
  })

  it('the latest request stands also where another harness had compacted it away', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
    })
    const request = `Please rework the printer. ${'It should be simple. '.repeat(60)}`
    await session.append(human('hello'), assistant('hi'), human(request), ...work(0), {
      kind: 'checkpoint',
      at: 0,
      base: 27,
      summary: 'The user wants the printer reworked.',
      summarizer: 'claude-code',
      tail: [],
      continuation: null,
      metadata: {},
    })
    await session.append(...work(1))
    expect(visible(session)).not.toContain(request)
    expect((await session.compact()).action).toBe('summary')
    expect(visible(session)).toContain(request)
  })

  it.each([
    ['an image', [{ type: 'image' as const, image: 'aaaa', mediaType: 'image/png' }]],
    ['an empty line', '  '],
  ])('%s that follows the latest request does not push it out', async (_, content) => {
    for (const tailTurns of [0, 1, 2]) {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 6_000 },
        policy: { ...defaultPolicy, tailTurns },
      })
      const request = `Please rework the printer. ${'It should be simple. '.repeat(300)}`
      await session.append(human('hello'), ...work(0), human(request), human(content))
      expect((await session.compact()).action).toBe('summary')
      expect(visible(session)).toContain(request)
    }
  })

  it('a pin that would leave no room for work is refused, and says why', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    await expect(session.pin('word '.repeat(4_000))).rejects.toBeInstanceOf(PinBudgetError)
    expect(await session.log()).toHaveLength(0)
  })
})
