import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, human, logFrom, step, type Drafts } from '../../../testing/generate/build.ts'
import { factsOf } from '../../../facts/facts-of.ts'
import { runs } from '../../../testing/generate/runs.ts'
import { coreHeadings } from '../../../facts/summary/sections/core-sections.ts'
import { estimateTokens as count } from '../../../tokens/estimate.ts'
import { defaultTemplate } from '../template.ts'
import { keptLabel, recordLabel, withRecord } from './from-record.ts'

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

  it('says of a list only what the model did not say', () => {
    const reviewed = logFrom([
      human('Please review the parser.'),
      step('a', 'Read', { file_path: 'src/lexer.ts' }, 'export const lexer = 1'),
      assistant(
        [
          'The review has found four faults, since nobody had looked at it before:',
          '- The parser fails because the lexer yields no end token for empty input.',
          '- The cache grows without any bound while a server is running.',
          '- The printer loses every comment that follows a closing brace.',
          '- The watcher misses files that are renamed within the same second.',
        ].join('\n'),
      ),
      human('Go on.'),
    ])
    const own = factsOf(reviewed, {})
    const told = (budget: number): string =>
      withRecord(summary(`- ${finding}`), {
        facts: own,
        template: defaultTemplate,
        budget,
        count,
        beside: ['Go on.'],
      })
    const isNew = ['grows without any bound', 'loses every comment', 'that are renamed within']
    const budgets = Array.from({ length: 60 }, (_, at) => 60 + 5 * at)
    const least = budgets.map(told).find((text) => isNew.every((words) => text.includes(words)))
    expect(least?.match(/yields no end token/g)).toHaveLength(1)
  })

  it('goes to no lists of names, nor to how files were used', () => {
    const uses = [...'abcdefghijkl'].map((at) => [
      step(
        `r${at}`,
        'Read',
        { file_path: `src/part${at}.ts` },
        `const readValue${at} = openPart${at}()`,
      ),
      step(
        `e${at}`,
        'Edit',
        { file_path: `src/part${at}.ts`, old_string: `readValue${at}`, new_string: `value${at}` },
        'ok',
      ),
    ])
    const many = logFrom([human('Rename what is read.'), ...uses, human('Go on.')])
    const text = withRecord(summary('- Nothing much.'), {
      facts: factsOf(many, {}),
      template: defaultTemplate,
      budget: 2_000,
      count,
      beside: ['Go on.'],
    })
    expect(text).not.toMatch(/More (?:names|paths):|\(edited|: readValue/)
  })

  describe('goes to the list of the assistant', () => {
    const listed = (after: Drafts[]): string =>
      withRecord(summary('- Nothing much.'), {
        facts: factsOf(
          logFrom([
            human('Mend the lexer.'),
            step(
              't',
              'TodoWrite',
              {
                todos: [
                  { content: 'Mend the end of the input', status: 'pending' },
                  { content: 'Read how the lexer works', status: 'completed' },
                ],
              },
              'ok',
            ),
            step('a', 'Read', { file_path: 'src/lexer.ts' }, 'export const lexer = 1'),
            ...after,
          ]),
          {},
        ),
        template: defaultTemplate,
        budget: 2_000,
        count,
        beside: [],
      })

    it('while it works on it', () => {
      expect(listed([])).toContain('- pending: Mend the end of the input')
    })

    it.each<[string, Drafts[]]>([
      ['has ended its turn', [assistant('The end of the input is mended, and all tests pass.')]],
      ['was asked for something else', [human('Write the release notes instead.')]],
    ])('not once it %s', (_, after) => {
      expect(listed(after)).not.toMatch(/pending: Mend|done: Read/)
    })
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

  it('goes to lines that fell out up to its half, in their order, and to others that fit', () => {
    const lines = Array.from(
      { length: 40 },
      (_, at) => `- Lost finding number ${at} of a long list.`,
    )
    const bare = summary('- Nothing much.')
    const each = count(`${lines[10]}\n`)
    for (const room of [100, 300, 700]) {
      const text = filled('- Nothing much.', count(bare) + room, lines)
      const kept = lines.filter((line) => text.includes(line))
      expect(kept).toEqual(lines.slice(0, kept.length))
      expect(kept.length * each).toBeLessThanOrEqual(room / 2 + each)
      expect((kept.length + 2) * each).toBeGreaterThan(room / 2)
    }
    const long = `- ${'One lost finding that is far too long. '.repeat(100)}`
    const text = filled('- Nothing much.', count(bare) + 300, [long, ...lines])
    expect(text).toContain(lines[0])
    expect(text).not.toContain('far too long')
  })

  it('is filled where no summary came before', () => {
    const given = { facts, template: defaultTemplate, budget: 1_000, count, beside: ['Go on.'] }
    expect(withRecord(summary('- Nothing much.'), given)).toBe(filled('- Nothing much.'))
  })

  it('takes the place of a section that says nothing, without a label', () => {
    const text = filled('(none)', 1_000, ['- The magic number is 0x50, from the old format.'])
    expect(text).toMatch(/## Discoveries\n- The magic number is 0x50/)
    expect(text).not.toContain('(none)')
    expect(text).not.toContain(keptLabel)
  })

  it('has a label between the words of the model and those of the record', () => {
    const text = filled('- Nothing much.')
    expect(text).toMatch(/- Nothing much\.\nFrom the record:\n\S/)
    for (const section of text.split(/^## /m)) {
      expect(section.split(recordLabel).length).toBeLessThanOrEqual(2)
    }
  })

  it('tells no rules: they are written elsewhere, by code alone', () => {
    const ruled = logFrom([
      human('Why does the parser fail? Never touch the generated folder of the parser.'),
      step('a', 'Read', { file_path: 'src/lexer.ts' }, 'export const lexer = 1'),
      assistant(finding),
      human('Go on.'),
    ])
    const own = factsOf(ruled, {})
    expect(own.rules.map(({ text }) => text).join()).toContain('Never touch')
    const text = withRecord(summary('- Nothing much.'), {
      facts: own,
      template: defaultTemplate,
      budget: 1_000,
      count,
      beside: ['Go on.'],
    })
    const [, instructions = ''] = /## Instructions\n([^#]*)/.exec(text) ?? []
    expect(instructions.trim()).toBe('All is well.')
    expect(text).toContain('yields no end token')
  })

  it('tells a request of several lines whole, as one quotation', () => {
    const lines = [
      'Please compare the old lexer:',
      'first with an empty file,',
      'then with a huge one.',
    ]
    const asked = logFrom([
      human(lines.join('\n')),
      step('a', 'Read', { file_path: 'src/lexer.ts' }, 'export const lexer = 1'),
      assistant('Both of them work with the old lexer, and the new one fails.'),
      human('Go on.'),
    ])
    const text = withRecord(summary('- Nothing much.'), {
      facts: factsOf(asked, {}),
      template: defaultTemplate,
      budget: 1_000,
      count,
      beside: ['Go on.'],
    })
    const label = 'What the human said before, oldest first:'
    expect(text).toContain(`\n${label}\n- [1] ${lines.join('\n  ')}\n\n`)
  })

  it.each([
    ['Mend the lexer', true],
    ['Mend the lexer.', true],
    ['Mend the lexer.ts', false],
    ['Mend lexer', false],
    ['See src/old_lexer.ts parser2 and-token.js a.b.c /usr/lib', false],
    ['\u4fee\u590d\u8bcd\u6cd5\u5206\u6790\u5668', true],
    ['\u4fee\u590d', false],
  ])('tells what states anything, and no names alone: %s', (words, isTold) => {
    const asked = logFrom([
      human(words),
      step('a', 'Read', { file_path: 'src/lexer.ts' }, 'export const lexer = 1'),
      assistant(finding),
      human('Go on.'),
    ])
    const given = { template: defaultTemplate, budget: 1_000, count, beside: ['Go on.'] }
    const text = withRecord(summary('- Nothing much.'), { ...given, facts: factsOf(asked, {}) })
    expect(text.includes(words)).toBe(isTold)
    expect(text).toContain('yields no end token')
  })

  it('is left alone where hardly any is left', () => {
    const bare = summary('- Nothing much.')
    expect(filled('- Nothing much.', count(bare) + 25)).toBe(bare)
    expect(filled('- Nothing much.', count(bare) + 40)).toContain('yields no end token')
    expect(filled('- Nothing much.', 0)).toBe(bare)
  })

  it('is used for the most part where the record has enough to say', () => {
    const many = logFrom([
      Array.from({ length: 60 }, (_, at) => [
        human(`Please explain why the module called area${at} fails when it is started twice.`),
        step(`s${at}`, 'Read', { file_path: `src/area${at}.ts` }, `export const area${at} = 1`),
        assistant(`The module area${at} fails because its registry number ${at * 7} is taken.`),
      ]),
    ])
    const own = factsOf(many, {})
    const bare = summary('- Nothing much.')
    for (const budget of [400, 800, 1_600]) {
      const text = withRecord(bare, {
        facts: own,
        template: defaultTemplate,
        budget,
        count,
        beside: [],
      })
      expect(count(text)).toBeLessThanOrEqual(budget)
      expect(count(text) - count(bare), `${budget}`).toBeGreaterThan((budget - count(bare)) * 0.6)
      const lines = text.split('\n').filter((line) => /^[->]/.test(line))
      expect(new Set(lines).size).toBe(lines.length)
    }
  })

  it.each([
    ['nothing', 0, 0],
    ['the first half', 0, 30],
    ['the second half', 30, 60],
    ['nearly all', 0, 55],
  ])('is used but for a line where the model said %s of it', (_, from, to) => {
    const found = Array.from(
      { length: 60 },
      (_, at) => `The module area${at} fails because its registry number ${at * 7} is taken.`,
    )
    const many = logFrom(
      found.map((text, at) => [
        human(`Please explain why the module called area${at} fails when it is started twice.`),
        step(`s${at}`, 'Read', { file_path: `src/area${at}.ts` }, `export const area${at} = 1`),
        assistant(text),
      ]),
    )
    const own = factsOf(many, {})
    const said = found.slice(from, to).map((text) => `- ${text}`)
    const bare = summary(['- Nothing much.', ...said].join('\n'))
    for (const room of [100, 200, 300, 500, 800, 1_200]) {
      const budget = count(bare) + room
      const given = { facts: own, template: defaultTemplate, budget, count, beside: [] }
      const left = budget - count(withRecord(bare, given))
      expect(left).toBeGreaterThanOrEqual(0)
      // Names that no call used are no use as filling.
      expect(left, `${room}`).toBeLessThanOrEqual(Math.max(60, room * 0.2))
    }
  })
})

describe('lines that fell out of the summary before', () => {
  const bare = summary('- Nothing much.')
  const kept = (lines: { heading: string; line: string }[], budget = 2_000): string =>
    withRecord(bare, {
      facts: factsOf(logFrom([]), {}),
      template: defaultTemplate,
      budget,
      count,
      beside: [],
      fallenOut: lines,
    })
  const found = (line: string) => ({ heading: 'Discoveries', line })
  const done = (line: string) => ({ heading: 'Accomplished', line })

  it('are kept where they take half of the room, and not a token more', () => {
    const line = '- The magic number is 0x50, from the old format.'
    const cost = count(`${line}\n`)
    expect(kept([found(line)], count(bare) + 2 * cost)).toContain(line)
    expect(kept([found(line)], count(bare) + 2 * cost - 1)).not.toContain(line)
  })

  it('stand under their headings, each behind one label', () => {
    const text = kept([found('- One finding.'), done('- One deed.'), found('- Another finding.')])
    expect(text).toContain(
      `- Nothing much.\n${keptLabel}\n- One finding.\n- Another finding.\n\n## Accomplished`,
    )
    expect(text).toContain(`## Accomplished\nAll is well.\n${keptLabel}\n- One deed.\n\n`)
  })

  it('are kept with what introduces them, and that is not kept without them', () => {
    const label = 'What is known of it:'
    const item = '- The pool is small.'
    expect(kept([found(label), found(item)])).toContain(`${label}\n${item}`)
    expect(kept([found(label), done(item)])).not.toContain(label)
    expect(kept([found(label)])).not.toContain(label)
    const both = kept([found(label), found('What is open:'), found(item)])
    expect(both).not.toContain(label)
    expect(both).toContain(`What is open:\n${item}`)
  })

  it.each(['- The pool is small:', '> The pool is small:', 'It is small: the pool.', '  small:'])(
    'introduce nothing where they read like %s',
    (line) => expect(kept([found(line)])).toContain(line),
  )
})
