import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { messageText, partsOf } from '../log/message.ts'
import { readRef } from '../log/ref.ts'
import { openSession, type Session } from '../session/session.ts'
import { run } from '../session/loop/loop.ts'
import { compactLog } from '../session/once/compact-log.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, call, human, logFrom, result, step, tool } from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Message, UserPart } from '../log/message.ts'

const lines = (tokens: number): string =>
  Array.from({ length: Math.ceil(tokens / 8) }, (_, n) => `line ${n} of what was read`).join('\n')

const open = (context: number, drafts: readonly EntryDraft[]): Promise<Session> =>
  openSession({ store: memoryStore(), id: 'a', window: { context } }).then(async (session) => {
    await session.append(...drafts)
    return session
  })

/** What the newest call's result says in these messages. */
function newestResult(messages: readonly Message[]): string | undefined {
  const results = messages.flatMap(partsOf).filter((part) => part.type === 'tool-result')
  const output = results.at(-1)?.output
  return output?.type === 'text' ? output.value : undefined
}

const shown = (messages: readonly Message[]): string => messages.map(messageText).join('\n')

/** Work that fills a window of 16,000 tokens. */
const earlier = Array.from({ length: 30 }, (_, n) =>
  step(`c${n}`, 'Read', { file_path: `f${n}.ts` }, `line of ${n}\n`.repeat(150)),
).flat()

describe('G13: what was just given stays', () => {
  it('the newest call stands with a fair part of its result, however large and however early', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(8_000, 32_000, 128_000, 200_000),
        fc.double({ min: 0.9, max: 3, noNaN: true }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        async (context, size, before, greeted) => {
          const session = await open(context, [
            ...(greeted ? [human('Hello.'), assistant('Hello, what can I do?')] : []),
            human('Read the log and tell me what failed.'),
            ...Array.from({ length: before }, (_, n) =>
              step(`s${n}`, 'Read', { file_path: `src/${n}.ts` }, 'const a = 1'),
            ).flat(),
            ...step('big', 'Read', { file_path: 'build.log' }, lines(context * size)),
          ])
          expect((await session.fit())?.fits ?? true).toBe(true)
          const messages = session.messages()
          const said = newestResult(messages) ?? ''
          const { tail, usable } = session.budget()
          expect(session.measure().tokens).toBeLessThan(usable)
          expect(estimateTokens(said)).toBeGreaterThanOrEqual(tail * 0.25 - 200)
          expect(said).toContain('line 0 of what was read')
          expect(shown(messages)).toContain('Read the log and tell me what failed.')
        },
      ),
      runs(40),
    )
  })

  it('the newest output keeps its beginning and its end', async () => {
    const session = await open(16_000, [
      human('Go.'),
      ...earlier,
      ...step('last', 'Bash', { command: 'npm test' }, lines(32_000)),
    ])
    expect((await session.compact()).action).toBe('summary')
    const said = newestResult(session.messages()) ?? ''
    expect(said).toContain('line 0 of what was read')
    expect(said).toContain('line 3999 of what was read')
  })

  it('where all that there is was just given, it is clipped, and no summary is made of it', async () => {
    const session = await open(16_000, [
      human('Read the log.'),
      ...step('a', 'Bash', { command: 'npm test' }, lines(32_000)),
    ])
    expect(await session.fit()).toMatchObject({ action: 'prune', rung: 'clip', fits: true })
    expect(shown(session.messages())).toContain('Read the log.')
    expect(shown(session.messages())).not.toContain('prior-conversation-summary')
  })

  it.each([32_000, 200_000])(
    'a model that reads again until it sees the output comes to an end in a window of %d',
    async (context) => {
      const session = await open(context, [human('What does the log begin with?')])
      let requests = 0
      const { reason } = await run({
        session,
        maxSteps: 30,
        step: async ({ messages }) => {
          requests += 1
          if (shown(messages).includes('line 0 of what was read')) {
            return { messages: [{ role: 'assistant', content: 'With line 0.' }], finish: 'stop' }
          }
          const id = `r${requests}`
          return {
            messages: [
              { role: 'assistant', content: [call(id, 'Read', { file_path: 'build.log' })] },
              { role: 'tool', content: [result(id, 'Read', lines(context * 2))] },
            ],
            finish: 'tool-calls',
          }
        },
      })
      expect(reason).toBe('finished')
      expect(requests).toBeLessThanOrEqual(3)
    },
  )

  it('a large paste keeps its beginning and its end, and the request around it', async () => {
    for (const context of [16_000, 32_000, 100_000]) {
      const log = logFrom([
        human('Please fix the build.'),
        ...Array.from({ length: 12 }, (_, n) =>
          step(`s${n}`, 'Read', { file_path: `src/${n}.ts` }, lines(context / 10)),
        ).flat(),
        assistant('Give me the log.'),
        human(`This is the log:\n${lines(30_000)}\nFix only the first error, please.`),
      ])
      const { messages, report } = await compactLog(log, {
        window: { context },
        trigger: 'overflow',
      })
      expect(report.fits).toBe(true)
      const last = messageText(messages.at(-1) as Message)
      expect(last).toContain('This is the log:\nline 0 of what was read')
      expect(last).toContain('Fix only the first error, please.')
      expect(last).toMatch(/the whole is ref \d+\.0/)
      expect(estimateTokens(last)).toBeGreaterThanOrEqual(1_500)
    }
  })

  it('an image that nobody has answered yet stays, and so does a screenshot just taken', async () => {
    const image: UserPart = { type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' }
    const work = Array.from({ length: 30 }, (_, n) =>
      step(`s${n}`, 'Read', { file_path: `src/${n}.ts` }, lines(1_000)),
    ).flat()
    const attached = logFrom([
      human('Go.'),
      ...work,
      assistant('Done.'),
      human([{ type: 'text', text: 'What is wrong here?' }, image]),
    ])
    const options = { window: { context: 32_000 }, trigger: 'auto' } as const
    const asked = await compactLog(attached, options)
    expect(asked.report.action).not.toBe('none')
    expect(JSON.stringify(asked.messages.at(-1))).toContain('aW1hZ2U=')
    const screenshot = logFrom([
      human('Go.'),
      ...work,
      assistant([call('shot', 'screenshot')]),
      tool(
        result('shot', 'screenshot', {
          type: 'content',
          value: [{ type: 'image-data', data: 'aW1hZ2U=', mediaType: 'image/png' }],
        }),
      ),
    ])
    const taken = await compactLog(screenshot, options)
    expect(taken.report.action).not.toBe('none')
    expect(JSON.stringify(taken.messages)).toContain('aW1hZ2U=')
  })

  it('a medium too large for any window becomes a line, behind the words of its request', async () => {
    const image: UserPart = {
      type: 'image',
      image: 'aaaa'.repeat(500_000),
      mediaType: 'image/png',
    }
    const session = await open(16_000, [
      human('Go.'),
      ...earlier,
      assistant('Done.'),
      human([{ type: 'text', text: 'Make the button look like this.' }, image]),
    ])
    expect((await session.compact()).action).toBe('summary')
    const last = session.messages().at(-1)
    expect(last?.role).toBe('user')
    expect(last && messageText(last)).toContain('Make the button look like this.')
    expect(JSON.stringify(last)).toMatch(/Attached image\/png|"type":"image"/)
  })

  it('what nobody has answered yet stays with its media through a summary too', async () => {
    const image: UserPart = { type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' }
    const session = await open(32_000, [
      human('Go.'),
      ...earlier,
      assistant('Done.'),
      human([{ type: 'text', text: 'What is wrong here?' }, image]),
    ])
    expect((await session.compact()).action).toBe('summary')
    expect(session.messages().at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'What is wrong here?' }, image],
    })
  })

  it('media that a step has just shown, and that do not fit, become a line each', async () => {
    const value = Array.from({ length: 40 }, () => ({
      type: 'image-data' as const,
      data: 'aW1hZ2U=',
      mediaType: 'image/png',
    }))
    const session = await open(16_000, [
      human('Go.'),
      ...earlier,
      assistant([call('shot', 'screenshot')]),
      tool(result('shot', 'screenshot', { type: 'content', value })),
    ])
    expect(await session.compact()).toMatchObject({ action: 'summary', fits: true })
    const said = JSON.stringify(session.messages())
    expect(said).toContain('"toolCallId":"shot"')
    expect(said).toContain('[Attached image/png]')
    expect(said).not.toContain('aW1hZ2U=')
  })

  it('no medium goes where all fits, even if somebody asks for a compaction', async () => {
    const log = logFrom([
      human([{ type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' }]),
      ...step('a', 'Read', { file_path: 'a.ts' }, 'one line'),
    ])
    const options = { window: { context: 200_000 }, trigger: 'manual' } as const
    const { messages, report } = await compactLog(log, options)
    expect(report.action).toBe('none')
    expect(JSON.stringify(messages)).toContain('aW1hZ2U=')
  })

  it('of the media of a request that do not all fit, the oldest become a line of text', async () => {
    const pictures = Array.from({ length: 40 }, (): UserPart => ({
      type: 'image',
      image: 'aW1hZ2U=',
      mediaType: 'image/png',
    }))
    const log = logFrom([
      human('Go.'),
      ...step('a', 'Read', { file_path: 'a.ts' }, lines(9_000)),
      assistant('Done.'),
      human([{ type: 'text', text: 'And these?' }, ...pictures]),
    ])
    const { messages, report } = await compactLog(log, {
      window: { context: 16_000 },
      policy: { ...defaultPolicy },
    })
    expect(report.fits).toBe(true)
    const last = JSON.stringify(messages.at(-1))
    expect(last).toContain('And these?')
    expect(last).toContain('[Attached image/png]')
    expect(last).toMatch(/\[Attached image\/png\] \[… left out here; the whole is ref 5\.1 …\]/)
    expect(last).not.toMatch(/"aW1hZ2U=".*Attached/)
    expect(last).toMatch(/"image":"aW1hZ2U=","mediaType":"image\/png"\}\]\}$/)
    const repeated = messages.filter((each) =>
      JSON.stringify(each).includes('[Attached image/png]'),
    )
    expect(repeated).toHaveLength(1)
  })
})

describe('G13: whatever the model no longer sees is told', () => {
  it('by a marker, between two parts that were kept', async () => {
    const session = await open(16_000, [human('First.'), ...earlier, human('Second.'), ...earlier])
    expect((await session.compact()).action).toBe('summary')
    expect(shown(session.messages())).toContain('Second.')
    expect(shown(session.messages())).toMatch(/\[\d+ steps? (?:is|are) left out here/)
  })

  it('by kind and ref, and each of them reads back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 30 }), async (count) => {
        const log = logFrom([
          human([
            { type: 'text', text: 'Look.' },
            { type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' },
          ]),
          ...step('skill', 'Skill', { name: 'release' }, lines(500)),
          human('Go on.'),
          ...Array.from({ length: count }, (_, n) =>
            step(`s${n}`, 'Read', { file_path: `src/${n}.ts` }, lines(2_000)),
          ).flat(),
          human('And now?'),
        ])
        const {
          report,
          log: after,
          context,
        } = await compactLog(log, {
          window: { context: 24_000 },
          trigger: 'manual',
          policy: { ...defaultPolicy, olderMedia: 0 },
        })
        const { dropped } = report
        const visible = new Set(context.items.map(({ seq }) => seq))
        const seqsOf = (refs: readonly string[]): number[] =>
          refs.map((each) => Number.parseInt(each, 10))
        const results = log.filter(
          ({ kind, seq }) => kind === 'message' && seq > 4 && !visible.has(seq),
        )
        expect(seqsOf(dropped.results)).toEqual(
          results
            .filter((entry) => entry.kind === 'message' && entry.message.role === 'tool')
            .map(({ seq }) => seq),
        )
        expect(dropped.media).toEqual(['1.1'])
        if (!visible.has(3)) expect(dropped.skills).toEqual(['3.0'])
        for (const refs of Object.values(dropped)) {
          for (const each of refs) expect(readRef(after, each)).toBeDefined()
        }
      }),
      runs(20),
    )
  })

  it.each([3, 6])('%d pictures of a request stay while work on it goes on', async (count) => {
    const image = { type: 'image', image: 'bmV3', mediaType: 'image/png' } as const
    const log = logFrom([
      human([
        { type: 'text', text: 'Old.' },
        { ...image, image: 'b2xk' },
      ]),
      ...step('a', 'Read', { file_path: 'a.ts' }, lines(9_000)),
      assistant('Done.'),
      human([{ type: 'text', text: 'As drawn.' }, ...Array.from({ length: count }, () => image)]),
      ...step('b', 'Read', { file_path: 'b.ts' }, 'one line'),
      ...step('c', 'Read', { file_path: 'c.ts' }, 'one line'),
      ...step('d', 'Read', { file_path: 'd.ts' }, 'one line'),
    ])
    const { messages } = await compactLog(log, {
      window: { context: 200_000 },
      policy: { ...defaultPolicy },
      trigger: 'manual',
    })
    const request = JSON.stringify(
      messages.find((each) => JSON.stringify(each).includes('"As drawn."')),
    )
    expect(request.match(/bmV3/g)).toHaveLength(count)
    expect(JSON.stringify(messages)).not.toContain('b2xk')
  })
})
