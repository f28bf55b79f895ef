import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as engine from './engine.ts'
import * as root from './index.ts'

/** Every name, value or type, that an entry exports. */
function namesOf(entry: string): string[] {
  const source = readFileSync(new URL(entry, import.meta.url), 'utf8')
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => name.trim() || []),
  )
}

describe('the public names', () => {
  it('are listed one by one in the root', () => {
    const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
    expect(source).not.toMatch(/^export (?:type )?\*/m)
    const names = namesOf('index.ts')
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(Object.keys(root)))
  })

  it('have one home each: what the root exports as a value is not in the engine', () => {
    expect(Object.keys(engine).filter((name) => Object.hasOwn(root, name))).toEqual([])
    expect(namesOf('engine.ts').filter((name) => namesOf('index.ts').includes(name))).toEqual([])
  })

  it('hold the pure parts in the engine, which says that it is unstable', () => {
    const source = readFileSync(new URL('engine.ts', import.meta.url), 'utf8')
    expect(source).toContain('**Unstable**')
    for (const name of ['planCompaction', 'measure', 'contextOf', 'factsOf', 'historyOf']) {
      expect(engine).toHaveProperty(name)
    }
  })
})
