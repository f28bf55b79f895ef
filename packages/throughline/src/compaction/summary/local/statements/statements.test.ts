import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../../../testing/growth.ts'
import { candidatesOf, choose } from './choose.ts'
import { termsOf } from './terms.ts'
import { unitsOf } from '../../../../facts/statements/units.ts'

describe('the units of a text', () => {
  test('a list comes with the sentence before it, and a deeper item with the one above it', () => {
    const units = unitsOf(
      '# Plan\n\nA minimal surface:\n- parse\n  - quickly\n- print\n\nThen stop.',
    )
    const [plan, surface, parse, quickly, print, then] = units
    expect([plan, surface].map((unit) => unit?.isLead)).toEqual([true, true])
    expect(parse?.leads).toEqual([0, 1])
    expect(quickly).toMatchObject({ text: '  - quickly', leads: [0, 1, 2] })
    expect(print?.leads).toEqual([0, 1])
    expect(then).toMatchObject({ text: 'Then stop.', leads: [0] })
  })

  test('a block of code stays whole and keeps its indentation', () => {
    const code = '```ts\nif (x) {\n  y()\n}\n```'
    expect(unitsOf(`Do this:\n\n${code}`).at(-1)).toMatchObject({ text: code, leads: [0] })
  })

  test('a line in bold comes with the heading above it, and its sentences with both', () => {
    const units = unitsOf('## 1. The lock\n\n**Severity: low**\n\nIt is taken twice.\n\n## 2. Sums')
    expect(units.map(({ leads }) => leads)).toEqual([[], [0], [0, 1], []])
  })

  test('code in backticks stays whole, whatever marks it holds', () => {
    const line =
      'The target answers with the error `unpack: ... body too large ...` there. Then it ends, and nobody reads on.'
    expect(unitsOf(line).map(({ text }) => text)).toEqual([
      'The target answers with the error `unpack: ... body too large ...` there.',
      'Then it ends, and nobody reads on.',
    ])
  })

  test('a sentence that goes on behind a block of code comes with it', () => {
    const text =
      'The lines that you pasted:\n\n```\nStoring objects.\n```\n\nare written by the target.'
    expect(unitsOf(text).at(-1)).toMatchObject({
      text: 'are written by the target.',
      leads: [0, 1],
    })
    expect(unitsOf(text.replace('are', 'All are')).at(-1)?.leads).toEqual([])
  })

  test.each([
    'This means that nobody frees it.',
    'However, nobody frees it there.',
    'Dies gilt auch für den Export.',
    'Это верно и для экспорта.',
  ])('what points back comes with the sentence that it points to: %j', (second) => {
    const [first, then] = unitsOf(
      `The lock is taken twice, by the writer and by the index. ${second}`,
    )
    expect(then).toMatchObject({ text: second, leads: [0] })
    expect(first?.leads).toEqual([])
  })

  test('nothing of a text is lost but blank lines and rulers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const kept = unitsOf(text.replaceAll(/[|:=_*-]/g, ''))
        const bare = (words: string): string => words.replaceAll(/\s/g, '')
        expect(bare(kept.map((unit) => unit.text).join(''))).toBe(
          bare(text.replaceAll(/[|:=_*-]/g, '')),
        )
      }),
    )
  })

  test.each([
    'a',
    '`',
    '`a. ',
    '``a` ',
    '. ',
    '。',
    '- x\n',
    '  - x\n',
    '# x\n',
    'x:\n',
    '```\n',
    '| a |\n',
  ])('text of nothing but %j takes linear work', async (unit) => {
    const reading = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length))
      return () => {
        for (const each of unitsOf(text)) termsOf(each.text)
      }
    }
    await expectLinear(reading, { small: 50_000, large: 800_000 })
  })
})

/** A candidate with its terms in words. */
interface Said {
  text: number
  tokens: number
  frame: number
  weight: number
  terms: readonly string[]
  leads: readonly number[]
  isLoaded?: boolean
}

function chosenOf(all: readonly Said[], tokens: number, loaded = Infinity): number[] {
  const vocabulary = [...new Set(all.flatMap(({ terms }) => terms))]
  const numbers = all.flatMap(({ terms }) => terms.map((term) => vocabulary.indexOf(term)))
  const candidates = candidatesOf(all.length)
  let from = 0
  for (const [at, { text, tokens, frame, weight, terms, leads, isLoaded }] of all.entries()) {
    const to = from + terms.length
    candidates.text[at] = text
    candidates.tokens[at] = tokens
    candidates.frame[at] = frame
    candidates.weight[at] = weight
    candidates.from[at] = from
    candidates.to[at] = to
    candidates.says[at] = at
    candidates.leads.set(at, leads)
    candidates.loaded[at] = isLoaded === true ? 1 : 0
    from = to
  }
  const terms = { size: vocabulary.length, at: (position: number) => numbers[position] ?? 0 }
  return choose(candidates, terms, { tokens, loaded })
}

const candidate = fc.record<Said>({
  text: fc.nat(5),
  tokens: fc.integer({ min: 1, max: 60 }),
  frame: fc.nat(6),
  weight: fc.constantFrom(0, 0.5, 1),
  // So few that none is taken for the repetition of another one.
  terms: fc.uniqueArray(fc.constantFrom('cache', 'lock', 'index', 'v2', 'a.ts'), { maxLength: 4 }),
  leads: fc.constant([]),
})
const inOrder = fc
  .array(candidate, { maxLength: 60 })
  .map((all) => all.toSorted((a, b) => a.text - b.text))

describe('what is chosen', () => {
  test('never costs more than there is room for, and more room never says less', () => {
    fc.assert(
      fc.property(inOrder, fc.nat(600), (all, tokens) => {
        const chosen = chosenOf(all, tokens)
        const texts = new Set(chosen.map((at) => all[at]?.text))
        const frames = [...texts].map((text) =>
          Math.max(...all.filter((each) => each.text === text).map(({ frame }) => frame)),
        )
        const cost = chosen.reduce((sum, at) => sum + (all[at]?.tokens ?? 0), 0)
        expect(cost).toBeLessThanOrEqual(tokens)
        expect(frames.length).toBeLessThanOrEqual(chosen.length)
        const everything = chosenOf(all, 1_000_000)
        expect(everything).toHaveLength(
          all.filter(({ weight, terms }) => weight > 0 && terms.length > 0).length,
        )
        expect(everything).toEqual(expect.arrayContaining(chosen))
      }),
    )
  })

  test('says something new rather than the same again', () => {
    const said = (text: number, words: string): Said => ({
      text,
      tokens: 10,
      frame: 0,
      weight: 1,
      terms: termsOf(words),
      leads: [],
    })
    const all = [
      said(0, 'the cache was never emptied'),
      said(1, 'never emptied was the cache'),
      said(2, 'the lock is held by two writers'),
    ]
    expect(chosenOf(all, 20)).toContain(2)
  })

  test('what was only loaded takes more than its share where the rest leaves room', () => {
    const said = (text: number, words: string, isLoaded: boolean): Said => {
      const terms = termsOf(words)
      return { text, tokens: 10, frame: 0, weight: isLoaded ? 5 : 1, terms, leads: [], isLoaded }
    }
    const all = [
      said(0, 'every commit message begins with a verb', true),
      said(0, 'files are named in small letters', true),
      said(1, 'the cache was never emptied', false),
      said(2, 'the lock is held by two writers', false),
    ]
    expect(chosenOf(all, 20)).toEqual([0, 1])
    expect(chosenOf(all, 20, 10)).toHaveLength(2)
    expect(chosenOf(all, 20, 10)).not.toEqual([0, 1])
    expect(chosenOf(all, 20, 0)).toEqual([2, 3])
    expect(chosenOf(all, 40, 0)).toEqual([0, 1, 2, 3])
  })
})
