import { describe, expect, it } from 'vitest'
import {
  parseForeignRef,
  readSourceLine,
  readSources,
  sourceAlias,
  sourceLine,
  sourcesIn,
} from './source.ts'
import type { Source } from './entry.ts'

const source: Source = { kind: 'session', name: 'claude:5b9c "x"\ny' }

describe('a source', () => {
  it('is read back from its line, whatever its name holds', () => {
    expect(sourceLine(source)).not.toContain('\n')
    expect(readSourceLine(sourceLine(source))).toEqual(source)
    expect(readSources(`words\n${sourceLine(source)}\nmore`)).toEqual({
      [sourceAlias(source)]: source,
    })
  })

  it('is not taken from a line that gives it the short name of another', () => {
    const other = sourceLine({ kind: 'session', name: 'other' })
    expect(readSourceLine(other.replace('"other"', '"another"'))).toBeUndefined()
  })

  it('is not taken from metadata of another shape', () => {
    const named = {
      a: source,
      b: { kind: 'url', name: 'x' },
      c: null,
      d: { kind: 'file', name: '' },
    }
    expect(sourcesIn({ sources: named as never })).toEqual({ [sourceAlias(source)]: source })
  })

  it('stands before a ref, and before nothing else', () => {
    const alias = sourceAlias(source)
    expect(parseForeignRef(`${alias}:12.0`)).toEqual({ alias, ref: '12.0' })
    for (const text of ['12.0', `${alias}:`, `${alias}:1.2.3`, 'claude:12', `${alias}:12 `]) {
      expect(parseForeignRef(text)).toBeUndefined()
    }
  })
})
