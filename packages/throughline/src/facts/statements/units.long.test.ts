import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../testing/growth.ts'
import { termsOf } from './terms.ts'
import { unitsOf } from './units.ts'

describe('the units of a text', () => {
  test('a list comes with the sentence before it, and a deeper item with the one above it', () => {
    const units = unitsOf(
      '# Plan\n\nA minimal surface:\n- parse\n  - quickly\n- print\n\nThen stop.',
    )
    expect(units).toMatchObject([
      { text: '# Plan', lead: -1, isLead: true },
      { text: 'A minimal surface:', lead: 0, isLead: true },
      { text: '- parse', lead: 1, isLead: false },
      { text: '  - quickly', lead: 2 },
      { text: '- print', lead: 1 },
      { text: 'Then stop.', lead: 0 },
    ])
  })

  test('an item that only opens a list says nothing without it', () => {
    const units = unitsOf(
      'Done.\n- Supports:\n  - jumping back\n- Adds `sum` to:\n  - rows\n- Left:',
    )
    expect(units.map(({ isLead }) => isLead)).toEqual([false, true, false, false, false, false])
  })

  test('a block of code stays whole and keeps its indentation', () => {
    const code = '```ts\nif (x) {\n  y()\n}\n```'
    expect(unitsOf(`Do this:\n\n${code}`).at(-1)).toMatchObject({ text: code, lead: 0 })
  })

  test('a line in bold comes with the heading above it, and its sentences with both', () => {
    const units = unitsOf('## 1. The lock\n\n**Severity: low**\n\nIt is taken twice.\n\n## 2. Sums')
    expect(units.map(({ lead }) => lead)).toEqual([-1, 0, 1, -1])
  })

  test('code in backticks stays whole, whatever marks it holds', () => {
    const line =
      'The target answers with the error `unpack: ... body too large ...` there. Then it ends, and nobody reads on.'
    expect(unitsOf(line).map(({ text }) => text)).toEqual([
      'The target answers with the error `unpack: ... body too large ...` there.',
      'Then it ends, and nobody reads on.',
    ])
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
