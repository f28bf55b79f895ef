import { describe, expect, it } from 'vitest'
import { messageText } from '../../log/message.ts'
import { draftOf } from '../../log/entry.ts'
import { assistant, human, logFrom, step } from '../../testing/generate/build.ts'
import { compactLog } from './compact-log.ts'
import { compactStretch, StretchError } from './compact-stretch.ts'
import type { Message } from '../../log/message.ts'

const options = { window: { context: 60_000 }, now: 7 }
const reading = (at: number) =>
  step(`c${at}`, 'Read', { file_path: `src/f${at}.ts` }, `const f${at} = ${at}\n`.repeat(150))

// Entries 1 to 23: a request, ten steps of two entries each, an answer, and the next request.
const log = logFrom([
  human('Find the slow loop.'),
  ...Array.from({ length: 10 }, (_, at) => reading(at)),
  assistant('It is in src/f3.ts.'),
  human('Now mend it.'),
])

const texts = (messages: readonly Message[]): string[] =>
  messages.map((message) =>
    message.role === 'tool' || message.role === 'assistant'
      ? JSON.stringify(message.content)
      : messageText(message),
  )

const problemOf = async (from: number, through: number, of = log): Promise<string> => {
  try {
    await compactStretch(of, { from, through }, options)
  } catch (error) {
    if (StretchError.isInstance(error)) return `${error.code} ${error.problem}`
    throw error
  }
  return 'none'
}

describe('a stretch of a context', () => {
  it('becomes a summary, and what stands before and after it stays word for word', async () => {
    const { messages, report } = await compactStretch(log, { from: 4, through: 19 }, options)
    expect(report.action).toBe('summary')
    const before = await compactLog(log, options)
    const all = texts(before.messages)
    const [summary = '', ...rest] = texts(messages)
    expect(rest).toEqual([
      ...all.slice(0, 3),
      '[Entries 4–19 stood here; the summary covers them.]',
      ...all.slice(19),
    ])
    expect(summary).toContain('This summary covers entries 4 to 19 alone.')
    // What stands beside the summary is not told in it again.
    for (const at of [1, 2, 8]) expect(summary).toContain(`src/f${at}.ts`)
    for (const at of [0, 9]) expect(summary).not.toContain(`src/f${at}.ts`)
  })

  it('takes a step whole, where only its result is named', async () => {
    const { messages } = await compactStretch(log, { from: 5, through: 18 }, options)
    const rest = texts(messages).slice(1)
    expect(rest).toContain('[Entries 4–19 stood here; the summary covers them.]')
    expect(rest.join('\n')).not.toContain('"toolCallId":"c1"')
    expect(rest.join('\n')).not.toContain('"toolCallId":"c8"')
  })

  it('leaves no line where nothing stands before it', async () => {
    const [task, ...steps] = log.map(draftOf)
    const later = logFrom([...steps.slice(0, 20), task ?? [], ...reading(20), assistant('Well.')])
    const { messages } = await compactStretch(later, { from: 1, through: 18 }, options)
    expect(texts(messages).join('\n')).not.toContain('stood here')
    expect(texts(messages)[1]).toContain('"toolCallId":"c9"')
  })

  it('leaves the end of the conversation as it is: nobody is told to go on', async () => {
    const onTheWay = logFrom([...log.map(draftOf), ...reading(11), ...reading(12)])
    const { messages } = await compactStretch(onTheWay, { from: 2, through: 21 }, options)
    expect(texts(messages).slice(-4)).toEqual(
      texts((await compactLog(onTheWay, options)).messages).slice(-4),
    )
  })

  it('leaves what was cut out of other entries before as it was', async () => {
    const pruned = logFrom([
      ...log.map(draftOf),
      {
        kind: 'prune',
        at: 0,
        base: log.length,
        metadata: {},
        replacements: [{ how: 'pruned', ref: '21.0', text: '<tool-output-compacted />' }],
      },
    ])
    const { messages } = await compactStretch(pruned, { from: 2, through: 17 }, options)
    const rest = texts(messages).slice(1).join('\n')
    expect(rest).toContain('<tool-output-compacted />')
    expect(rest).not.toContain('const f9')
  })

  it('may be summarized beside a stretch that was summarized before', async () => {
    const first = await compactStretch(log, { from: 4, through: 11 }, options)
    const { messages } = await compactStretch(first.log, { from: 14, through: 21 }, options)
    const rest = texts(messages).slice(1)
    expect(rest).toContain('[Entries 4–11 stood here; the summary covers them.]')
    expect(rest).toContain('[Entries 14–21 stood here; the summary covers them.]')
    expect(rest.join('\n')).toContain('"toolCallId":"c5"')
    // What the first summary told is told still.
    expect(texts(messages)[0]).toContain('src/f2.ts')
  })

  it('is refused where nothing of it is seen, where it must stay, and where nothing is won', async () => {
    expect(await problemOf(40, 50)).toBe('STRETCH empty')
    expect(await problemOf(4, 23)).toBe('STRETCH newest')
    expect(await problemOf(22, 22)).toBe('STRETCH larger')
    const onTheWay = logFrom([...log.map(draftOf), ...reading(11), ...reading(12)])
    expect(await problemOf(20, 23, onTheWay)).toBe('STRETCH newest')
    const unfinished = logFrom([human('Go.'), ...reading(1), ...reading(2)])
    expect(await problemOf(4, 5, unfinished)).toBe('STRETCH newest')
    await expect(compactStretch(log, { from: 40, through: 50 }, options)).rejects.toMatchObject({
      stretch: { from: 40, through: 50 },
      message: expect.stringContaining('Entries 40 to 50 cannot become a summary: the model sees'),
    })
  })

  it('has a summary of the size that was asked for', async () => {
    const many = logFrom([
      human('Find the slow loop.'),
      ...Array.from({ length: 40 }, (_, at) => reading(at)),
      human('Now mend it.'),
    ])
    const sizes = await Promise.all(
      [200, 2_000].map(async (keep) => {
        const stretch = { from: 2, through: 79 }
        const { messages } = await compactStretch(many, stretch, { ...options, keep })
        return (texts(messages)[0] ?? '').length
      }),
    )
    expect(sizes[0]).toBeLessThan(sizes[1] ?? 0)
  })
})
