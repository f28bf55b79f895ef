import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capturedIo } from '../testing/captured-io.ts'
import { bar, bareBar, factLines, table } from './table.ts'
import { canRedraw, paintFor } from './colour.ts'
import { clipColumns, clipColumnsStart, columnsOf, wrap } from './columns.ts'
import { wrapLines } from '../overview.ts'
import { isMeant } from './choose-line.ts'
import { counted, percent, withThousands } from './numbers.ts'
import { statusLine } from './status-line.ts'

describe('columns', () => {
  it('counts wide, joined and invisible characters as a terminal does', () => {
    expect(columnsOf('abc')).toBe(3)
    expect(columnsOf('日本')).toBe(4)
    expect(columnsOf('e\u0301')).toBe(1)
    expect(columnsOf('🚀')).toBe(2)
  })

  it.each(['✅', '⚡', '❤️', '👩‍👩‍👧‍👦', '👍🏽', '🇻🇳', '1️⃣'])('counts %s as two columns', (emoji) => {
    expect(columnsOf(emoji)).toBe(2)
    expect(clipColumns(`${emoji}${emoji}${emoji}`, 5)).toBe(`${emoji}${emoji}…`)
    expect(clipColumnsStart(`${emoji}${emoji}${emoji}`, 4)).toBe(`…${emoji}`)
  })

  it('cuts a table with emoji so that its columns stand below each other', () => {
    const rows = [
      ['✅ done, all of it', '1'],
      ['❤️ 👩‍👩‍👧‍👦 ⚡', '22'],
    ]
    const lines = table([{ clip: 'end' }, { side: 'right' }], rows, 16)
    expect(lines).toEqual(['✅ done,…      1', '❤️ 👩‍👩‍👧‍👦 ⚡      22'])
  })

  it('breaks long lines between words, and keeps indents and short lines', () => {
    const text = 'a note: small enough to go on as it is\n  request  ok\n'
    expect(wrapLines(text, 25)).toBe('a note: small enough to\ngo on as it is\n  request  ok\n')
  })

  it('breaks a coloured line where a plain one breaks', () => {
    const coloured =
      '  \x1b[2mdropped\x1b[22m  12 results\n  \x1b[2mkept\x1b[22m  the newest messages\n'
    expect(wrapLines(coloured, 21)).toBe(
      '  \x1b[2mdropped\x1b[22m  12 results\n  \x1b[2mkept\x1b[22m  the newest\n  messages\n',
    )
  })

  it('finds a line by words in any order, of any case', () => {
    expect(isMeant('codex:019d /code/git-sync Fix the login', 'LOGIN git')).toBe(true)
    expect(isMeant('codex:019d /code/git-sync Fix the login', 'logout')).toBe(false)
  })

  it('looks no further than it has to at a character of very many marks', () => {
    const text = `e${'\u0301'.repeat(1_000_000)}`
    expect(clipColumns(text, 10).length).toBeLessThan(1000)
    expect(clipColumnsStart(text, 10).length).toBeLessThan(1000)
  })

  it('clips to the columns that there are, at either end', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 0, max: 30 }),
        (text, most) => {
          expect(columnsOf(clipColumns(text, most))).toBeLessThanOrEqual(most)
          expect(columnsOf(clipColumnsStart(text, most))).toBeLessThanOrEqual(most)
        },
      ),
    )
    expect(clipColumns('a long text', 6)).toBe('a lon…')
    expect(clipColumnsStart('src/cli/main.ts', 8)).toBe('…main.ts')
    expect(clipColumns('short', 5)).toBe('short')
  })
})

describe('bars', () => {
  it('is as wide as requested, however full', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 40 }), (share, width) => {
        expect(columnsOf(bar(share, width))).toBe(width)
        expect(columnsOf(bareBar(share, width))).toBeLessThanOrEqual(width)
      }),
    )
    expect(bar(0.5, 4)).toBe('██░░')
    expect(bar(2, 4)).toBe('████')
  })
})

describe('numbers', () => {
  it('sets thousands apart and never rounds something to nothing or nearly all to all', () => {
    expect(withThousands(1_234_567)).toBe('1,234,567')
    expect(withThousands(999)).toBe('999')
    expect(percent(1, 1000)).toBe('<1%')
    expect(percent(999, 1000)).toBe('99%')
    expect(percent(0, 0)).toBe('0%')
    expect(counted(1, 'step')).toBe('1 step')
    expect(counted(2000, 'summary', 'summaries')).toBe('2,000 summaries')
  })
})

describe('wrap', () => {
  it('divides at spaces, by columns, and leaves a word that is too long whole', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('✅✅ ⚡⚡ x', 6)).toEqual(['✅✅', '⚡⚡ x'])
    expect(wrap('a-word-of-its-own x', 5)).toEqual(['a-word-of-its-own', 'x'])
  })
})

describe('facts', () => {
  it('stand in two columns, wrapped where they are, and leave out what says nothing', () => {
    const paint = (_: string, text: string): string => text
    const facts = [
      ['one', 'a text of some words'],
      ['nothing at all', undefined],
      ['three', 'b'],
    ] as const
    expect(factLines(facts, { width: 20, paint, indent: 2 })).toEqual([
      '  one    a text of',
      '         some words',
      '  three  b',
    ])
  })
})

describe('table', () => {
  it('fits the width as far as its columns may be clipped', () => {
    const lines = table(
      [{ clip: 'end' }, { side: 'right' }],
      [
        ['a name that is much too long for this', '1,000'],
        ['short', '5'],
      ],
      24,
    )
    expect(lines).toEqual(['a name that is…    1,000', 'short                  5'])
    expect(lines.map(columnsOf)).toEqual([24, 24])
  })
})

describe('colour', () => {
  const painted = (terminal: number | undefined, env: Record<string, string>): boolean => {
    const { io } = capturedIo({ ...(terminal !== undefined && { terminal }), env })
    return paintFor(io.stdout, env)('red', 'x') !== 'x'
  }

  it('paints only in a terminal, and as NO_COLOR and FORCE_COLOR want', () => {
    expect(painted(80, {})).toBe(true)
    expect(painted(undefined, {})).toBe(false)
    expect(painted(80, { NO_COLOR: '1' })).toBe(false)
    expect(painted(80, { NO_COLOR: '' })).toBe(true)
    expect(painted(80, { TERM: 'dumb' })).toBe(false)
    expect(painted(undefined, { FORCE_COLOR: '1' })).toBe(true)
    expect(painted(undefined, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(true)
    expect(painted(80, { FORCE_COLOR: '0' })).toBe(false)
  })

  it('does not redraw a dumb terminal', () => {
    const { io } = capturedIo({ terminal: 80 })
    expect(canRedraw(io.stderr, {})).toBe(true)
    expect(canRedraw(io.stderr, { TERM: 'dumb' })).toBe(false)
  })
})

describe('statusLine', () => {
  it('draws again in its place, not too often, and goes without a trace', async () => {
    const { io, err } = capturedIo({ terminal: 40 })
    const status = statusLine(io)
    let made = 0
    for (let index = 0; index < 20; index++) {
      await status.show((columns) => `${++made} of ${columns}`)
    }
    expect(made).toBeGreaterThan(1)
    expect(made).toBeLessThan(20)
    expect(err()).toContain('\r\x1b[2K1 of 39')
    await status.clear()
    expect(err().endsWith('\r\x1b[2K')).toBe(true)
  })

  it('shows nothing elsewhere, or where it is told to be quiet', async () => {
    for (const [setting, quiet] of [
      [{}, false],
      [{ terminal: 80 }, true],
      [{ terminal: 80, env: { TERM: 'dumb' } }, false],
    ] as const) {
      const { io, err } = capturedIo(setting)
      const status = statusLine(io, { quiet })
      await status.show(() => 'never')
      await status.clear()
      expect(err()).toBe('')
    }
  })
})
