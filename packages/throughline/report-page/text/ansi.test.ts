import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitize } from '../../src/log/sanitize.ts'
import { ansiRuns } from './ansi.ts'

describe('what a terminal printed', () => {
  it('keeps its colours, by names of ours', () => {
    expect(ansiRuns('a \u001b[1;31mred\u001b[0m \u001b[38;5;2mgreen\u001b[39m b')).toEqual([
      { text: 'a ', classes: '' },
      { text: 'red', classes: 'ansi-bold ansi-red' },
      { text: ' ', classes: '' },
      { text: 'green', classes: 'ansi-green' },
      { text: ' b', classes: '' },
    ])
  })

  it('does nothing else that a terminal would do', () => {
    const runs = ansiRuns(
      '\u001b]0;title\u0007\u001b[2J\u001b[31m\u202ex\u001b]8;;javascript:1\u0007',
    )
    expect(runs).toEqual([{ text: 'x', classes: 'ansi-red' }])
  })

  it('says the same as the sanitizer, and has no class but ours, whatever it is', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '\u001b[',
        '\u001b[31m',
        'm',
        ';',
        '38;2;1;2;3m',
        '\u001b',
        '\u202e',
        '\u0000',
        '1;4',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const runs = ansiRuns(text)
        for (const { text: shown, classes } of runs) {
          expect(shown).toBe(sanitize(shown))
          expect(classes).toMatch(/^(?:ansi-[a-z]+(?: |$))*$/)
        }
      }),
    )
  })
})
