import { describe, expect, it } from 'vitest'
import { errorLine } from './error-line.ts'
import { expectLinear } from '../testing/growth.ts'

const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4'

describe('what an error says', () => {
  it.each([
    [
      'Anthropic’s JSON',
      '401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_1"}',
      '401 invalid x-api-key',
    ],
    ['an error that is a text', '{"error":"model not loaded"}', 'model not loaded'],
    ['JSON without a message', 'it said {"detail":1}', 'it said {"detail":1}'],
    ['what only looks like JSON', 'a {b} c', 'a {b} c'],
    [
      'a page',
      '502 <!DOCTYPE html><html><body>Bad <b>gateway</b></body></html>',
      '502 an HTML page',
    ],
    ['several lines', 'one\n\u001b[31mtwo\r\nthree', 'one two three'],
    [
      'OpenAI’s words for a key',
      `Incorrect API key provided: ${key}.`,
      'Incorrect API key provided: [redacted].',
    ],
    [
      'a key of any form',
      'The token "0123456789abcdef" is unknown',
      'The token "[redacted]" is unknown',
    ],
    [
      'a masked key',
      'Incorrect API key provided: ab12********************9f.',
      'Incorrect API key provided: [redacted]',
    ],
    ['a key in JSON', `{"error":{"message":"no such key: ${key}"}}`, 'no such key: [redacted]'],
    [
      'words about a key',
      'API key not valid. Please pass a valid API key.',
      'API key not valid. Please pass a valid API key.',
    ],
    [
      'words about tokens',
      'prompt is too long: 208310 tokens > 200000 maximum',
      'prompt is too long: 208310 tokens > 200000 maximum',
    ],
  ])('is one line that may be kept: %s', (_, message, line) => {
    expect(errorLine(new Error(message))).toBe(line)
    expect(errorLine(message)).toBe(line)
  })

  it('holds no end of a key that was cut', () => {
    for (let before = 3_950; before < 4_010; before++) {
      expect(errorLine(`${' '.repeat(before)}${key}`)).not.toContain('sk-proj')
      expect(errorLine(`${'x'.repeat(before - 3_500)} ${key}`)).not.toContain('sk-proj')
    }
  })

  it('is said of anything that is thrown', () => {
    expect(errorLine(undefined)).toBe('the thrown value is not an error')
    expect(errorLine({ message: 'x' })).toBe('the thrown value is not an error')
  })

  it('takes time that grows with the length alone', async () => {
    for (const piece of ['{"', 'token ', 'key: ', 'sk-', '<', 'a*']) {
      const reading = (times: number) => () => errorLine(piece.repeat(times))
      await expectLinear(reading, { small: 20_000, large: 160_000 }, JSON.stringify(piece))
    }
  })
})
