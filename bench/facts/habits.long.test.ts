import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { markText, measureFacts, shareOf } from 'throughline/evaluation'
import { readAnswers, withAnswers } from './recorded-answers.ts'
import { readSittings, usualExams } from './exams.ts'

const corpus = process.env['THROUGHLINE_CORPUS'] ?? join(usualExams, '../corpus')
const missing = [join(usualExams, 'answers'), corpus].find((path) => !existsSync(path))
const cases = new Set(['S1', 'S7'])

/** What models do with the answer that they were asked for. */
const habits: Record<string, (text: string) => string> = {
  'in a fence': (text) => `Here is the summary:\n\n\`\`\`markdown\n${text}\n\`\`\``,
  'with thinking in front': (text) => `<think>\nWhat was the goal again?\n</think>\n\n${text}`,
  'with other headings': (text) => text.replace(/^## (.*)$/gm, '**$1:**'),
  'in another order': (text) =>
    text
      .split(/\n(?=## )/)
      .toReversed()
      .join('\n'),
}

describe.skipIf(missing !== undefined)(
  `recorded answers of a real model${missing === undefined ? '' : ` (skipped: no ${missing})`}`,
  async () => {
    const all = missing === undefined ? await readSittings(usualExams, corpus) : []
    const sittings = all.filter(({ exam }) => cases.has(exam.case))
    const answers = await readAnswers(join(usualExams, 'answers'))
    const kept = (options: Parameters<typeof withAnswers>[2], keep = 8_000) =>
      measureFacts(withAnswers(sittings, answers, options), sittings, keep)

    it('state at least as much in the context as by themselves, where they fit', async () => {
      for (const row of await kept({ name: 'long' })) {
        const sitting = sittings.find(({ exam }) => exam.case === row.case)
        const answer = answers.find((one) => one.case === row.case && one.name === 'long')
        if (!sitting || !answer) throw new Error('no answer')
        const alone = shareOf(markText(sitting.exam, answer.text))
        expect(shareOf(row), row.case).toBeGreaterThanOrEqual(alone)
      }
    })

    it.each(Object.entries(habits))('state as much %s', async (_, habit) => {
      const plain = await kept({ name: 'long' })
      for (const [at, row] of (await kept({ name: 'long', habit })).entries()) {
        expect(shareOf(row)).toBeCloseTo(shareOf(plain[at] ?? row), 1)
      }
    })

    it('are cut, not thrown away, where they are twice as long as the room', async () => {
      for (const row of await kept({ name: 'long' }, 3_000)) {
        expect(row.tokens).toBeLessThanOrEqual(3_000)
        expect(shareOf(row), row.case).toBeGreaterThan(0.3)
      }
    })

    it('are completed where a section is missing', async () => {
      const habit = (text: string): string => text.replace(/## Discoveries[^]*?(?=\n## )/, '')
      for (const row of await kept({ name: 'short', habit })) {
        expect(shareOf(row), row.case).toBeGreaterThan(0.2)
      }
    })
  },
)
