import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSeal, SealError, sealWith } from './seal.ts'

const bytes = fc.uint8Array({ maxLength: 200 })
const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

describe('a seal', () => {
  it('gives back what was sealed, at its place, and shows nothing of it', () => {
    fc.assert(
      fc.property(bytes, (plain) => {
        const seal = sealWith([fresh])
        const sealed = seal.sealed(plain, 'a')
        expect(seal.opened(sealed, 'a')).toEqual(Buffer.from(plain))
        if (plain.length > 8) expect(sealed.includes(Buffer.from(plain))).toBe(false)
        expect(() => seal.opened(sealed, 'b')).toThrow(SealError)
      }),
    )
  })

  it('notices any changed byte', () => {
    const seal = sealWith([fresh])
    const sealed = seal.sealed(Buffer.from('{"kind":"message"}'), 'a')
    for (let at = 2; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] as number) ^ 1
      expect(() => seal.opened(changed, 'a')).toThrow(SealError)
    }
  })

  it('reads what an older key or nobody has sealed, until the key is left out', () => {
    const before = sealWith([old]).sealed(Buffer.from('x'), 'a')
    const now = sealWith([fresh, old])
    expect(now.opened(before, 'a').toString()).toBe('x')
    expect(now.opened(Buffer.from('{}'), 'a').toString()).toBe('{}')
    const later = now.sealed(Buffer.from('y'), 'a')
    expect(sealWith([fresh]).opened(later, 'a').toString()).toBe('y')
    expect(() => sealWith([fresh]).opened(before, 'a')).toThrow(SealError)
    expect(() => openSeal.opened(later, 'a')).toThrow(SealError)
  })
})
