import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { factsOf } from '../../../facts/facts-of.ts'
import { runs } from '../../../testing/generate/runs.ts'
import { coreHeadings } from '../../../facts/sections.ts'
import { estimateTokens as count } from '../../../tokens/estimate.ts'
import { defaultTemplate } from '../template.ts'
import { keptLabel, withRecord } from './from-record.ts'

const finding = 'The parser fails because the lexer yields no end token for empty input.'
const log = logFrom([
  human('Why does the parser fail? Please answer with a benchmark of the old lexer.'),
  step('a', 'Read', { file_path: 'src/lexer.ts' }, 'export const lexer = 1'),
  assistant(finding),
  human('Then mend it, but leave the public interface as it is.'),
  step('b', 'Edit', { file_path: 'src/lexer.ts', old_string: '1', new_string: '2' }, 'ok'),
  assistant('It is mended: an end token is always yielded, since callers wait for one.'),
  human('Go on.'),
])
const facts = factsOf(log, {})
const summary = (found: string): string =>
  coreHeadings
    .map((heading) => `## ${heading}\n${heading === 'Discoveries' ? found : 'All is well.'}`)
    .join('\n\n')

const filled = (found: string, budget = 1_000, fallen: string[] = []): string =>
  withRecord(summary(found), {
    facts,
    template: defaultTemplate,
    budget,
    count,
    beside: ['Go on.'],
    fallenOut: fallen.map((line) => ({ heading: 'Discoveries', line })),
  })

describe('the room that the summary of a model leaves', () => {
  it('goes to what the human said and what was found, where the model says neither', () => {
    const text = filled('- Nothing much.')
    expect(text).toContain('Please answer with a benchmark of the old lexer.')
    expect(text).toContain('yields no end token')
    expect(text).toContain('- Nothing much.')
  })

  it('is given to no label without a line below it', () => {
    for (let budget = 60; budget < 700; budget += 5) {
      const lines = filled('- Nothing much.', budget).split('\n')
      for (const [at, line] of lines.entries()) {
        if (/^(?!From the record)[A-Z].*:$/.test(line))
          expect(lines[at + 1], `${budget}: ${line}`).toMatch(/^[->]/)
      }
    }
  })

  it('says nothing twice', () => {
    const text = filled(`- ${finding}`)
    expect(text.match(/yields no end token/g)).toHaveLength(1)
  })

  it('goes first to what fell out of the summary before', () => {
    const text = filled('- Nothing much.', 240, [
      '- The magic number is 0x50, from the old format.',
    ])
    expect(text).toContain(`${keptLabel}\n- The magic number is 0x50`)
  })

  it('is never more than there is, and the words of the model stand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_500 }), (budget) => {
        const text = filled('- Nothing much.', budget, ['- One line that fell out of it all.'])
        const bare = summary('- Nothing much.')
        expect(count(text)).toBeLessThanOrEqual(Math.max(budget, count(bare)))
        expect(text).toContain('- Nothing much.')
      }),
      runs(60),
    )
  })
})
