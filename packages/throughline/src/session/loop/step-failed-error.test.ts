import { LoadAPIKeyError } from 'ai'
import { describe, expect, it } from 'vitest'
import { StepFailedError } from './step-failed-error.ts'

function failed(cause: unknown): StepFailedError {
  return new StepFailedError({ step: 3, cause })
}

function refused(status: number, more: object = {}): unknown {
  return Object.assign(new Error('No.'), { statusCode: status }, more)
}

describe('a failed step', () => {
  it.each([408, 409, 425, 429, 500, 503, 529])(
    'with the status %d may be tried again',
    (status) => {
      const error = failed(refused(status))
      expect(error).toMatchObject({ code: 'STEP_FAILED', step: 3, status, retryable: true })
      expect(error.message).toMatch(/^Step 3 failed with status \d+: No\. Run the session again/)
    },
  )

  it.each([400, 404, 422])('with the status %d is refused again', (status) => {
    expect(failed(refused(status))).toMatchObject({ status, retryable: false })
    expect(failed(refused(status)).message).toContain('refused again')
  })

  it.each([401, 403])('with the status %d names the key', (status) => {
    expect(failed(refused(status)).message).toContain('API key')
  })

  it('of an account without credit is refused again, though its status is that of a busy server', () => {
    const cause = refused(429, {
      isRetryable: true,
      data: { error: { code: 'insufficient_quota' } },
    })
    expect(failed(cause).retryable).toBe(false)
    expect(failed(cause).message).toContain('Add credit')
  })

  it('with 425 may be tried again, though the AI SDK says that it may not', () => {
    expect(failed(refused(425, { isRetryable: false })).retryable).toBe(true)
  })

  it('of a proxy that wants a password is refused again, as Node’s fetch tells it too', () => {
    const node = new TypeError('fetch failed', { cause: new Error('') })
    const sdk = Object.assign(new Error('Cannot connect to API: ', { cause: new Error('') }), {
      isRetryable: true,
    })
    for (const cause of [refused(407), node, sdk]) {
      expect(failed(cause).retryable).toBe(false)
      expect(failed(cause).message).toContain('password of the proxy')
    }
  })

  it('of a broken connection, or of a time that ran out, may be tried again', () => {
    for (const cause of [new TypeError('terminated'), new DOMException('Slow', 'TimeoutError')]) {
      expect(failed(cause)).toMatchObject({ status: undefined, retryable: true, cause })
    }
  })

  it('of an agent that was set up wrongly, without a key say, fails again', () => {
    const { retryable, message } = failed(new LoadAPIKeyError({ message: 'The key is missing.' }))
    expect(retryable).toBe(false)
    expect(message).toContain('check the model’s settings')
  })

  it('is what its provider package says of it', () => {
    expect(failed(refused(500, { isRetryable: false })).retryable).toBe(false)
  })

  it('says something of whatever is thrown', () => {
    for (const cause of [undefined, null, 'x', {}, new Error('')]) {
      expect(failed(cause).message).toContain('no reason was given')
    }
    expect(failed(new Error('x'.repeat(100_000))).message.length).toBeLessThan(1_000)
  })
})
