import { describe, expect, it } from 'vitest'
import { LogOrderError } from './order.ts'
import { RedactionError } from './redaction/secret.ts'
import { RefNotFoundError } from './ref.ts'
import { ThroughlineError } from './throughline-error.ts'

const order = new LogOrderError({ before: 2, seq: 1 })
const lost = new RefNotFoundError({ ref: '9', newest: 3 })
const short = new RedactionError({ length: 3, shortest: 6 })

describe('isInstance', () => {
  it('knows the errors of its own class and no others', () => {
    expect([order, lost, short].map((error) => LogOrderError.isInstance(error))).toEqual([
      true,
      false,
      false,
    ])
    expect([order, lost, short].map((error) => RefNotFoundError.isInstance(error))).toEqual([
      false,
      true,
      false,
    ])
    expect([order, lost, short].map((error) => RedactionError.isInstance(error))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('of the base takes all of them', () => {
    for (const error of [order, lost, short]) {
      expect(ThroughlineError.isInstance(error)).toBe(true)
    }
  })

  it.each([undefined, null, 'LOG_ORDER', new Error('no'), { code: 'LOG_ORDER' }])(
    'says no to %s',
    (value) => {
      expect(LogOrderError.isInstance(value)).toBe(false)
      expect(ThroughlineError.isInstance(value)).toBe(false)
    },
  )

  it('knows the errors of another install, which instanceof does not', async () => {
    const install: string = './throughline-error.ts?another-install'
    const other = (await import(/* @vite-ignore */ install)) as {
      ThroughlineError: typeof ThroughlineError
    }
    class Foreign extends other.ThroughlineError<'LOG_ORDER'> {}
    const foreign = new Foreign('LOG_ORDER', 'It stands elsewhere.')
    expect(foreign).not.toBeInstanceOf(ThroughlineError)
    expect(ThroughlineError.isInstance(foreign)).toBe(true)
    expect(LogOrderError.isInstance(foreign)).toBe(true)
    expect(RefNotFoundError.isInstance(foreign)).toBe(false)
  })

  it('narrows to its class, and does not compile where the class has not named its code', () => {
    class Nameless extends ThroughlineError<'NAMELESS'> {}
    // @ts-expect-error It would take the errors of every class for its own.
    expect(Nameless.isInstance(order)).toBe(true)
    const error: unknown = order
    expect(LogOrderError.isInstance(error) && error.before).toBe(2)
  })
})

describe('an error', () => {
  it('carries its name, its code and its cause, and hides its marker', () => {
    class Lost extends ThroughlineError<'LOST'> {
      static override readonly code = 'LOST'
    }
    const cause = new Error('why')
    const error = new Lost(Lost.code, 'It is gone.', { cause })
    expect(error).toMatchObject({ name: 'Lost', code: 'LOST', message: 'It is gone.', cause })
    expect(Object.keys(error).toSorted()).toEqual(['code', 'name'])
    expect(String(error)).toBe('Lost: It is gone.')
  })
})
