import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { looseWritings, writings } from '../../testing/secret-writings.ts'
import { withoutSecret } from './find-secret.ts'
import { Inspection } from './inspection.ts'
import { redactText } from './redaction.ts'
import { secretOf } from './secret.ts'
import type { Entry } from '../entry.ts'

/** With all that any encoding changes, and one that is short and plain. */
const hard = 'p&s<w>/o"r\'d=+%4é $X`\\9!Zq7'
// The third one is so short that nobody puts it together from pieces.
const secrets = [
  hard,
  'sk-live-Zq7xK9wLmP2vB4nT',
  `h'n"r&2`,
  'hunter2',
  'correct horse battery staple',
]

function left(text: string, secret: string): string {
  return withoutSecret(text, secretOf(secret))
}

describe.each(secrets)('the secret %j', (secret) => {
  it.each(writings)('is taken out of $name, and what is around it stays', ({ write }) => {
    const written = write(secret)
    const clean = left(`Before it. <${written}> After it.`, secret)
    expect(clean).toContain('[redacted]')
    expect(clean).toMatch(/^Before it\. .* After it\.$/s)
    // Less than a character's worth of it stays.
    for (const each of writings) expect(clean).not.toContain(each.write(secret))
    expect(withoutSecret(clean, secretOf(secret))).toBe(clean)
  })
})

describe('a secret like no other text', () => {
  it.each(looseWritings)('is taken out of $name', ({ write }) => {
    for (const secret of ['sk-live-Zq7xK9wLmP2vB4nT', 'AKIA1234567890ABCDEF/x+y&z']) {
      const clean = left(`Here: ${write(secret)} and so on`, secret)
      expect(clean).toContain('[redacted]')
      expect(clean).not.toContain(secret.slice(-6))
      expect(clean).toContain(' and so on')
    }
  })

  it.each(['\n', '\r\n  ', '\n> ', ' │\n│ '])(
    'is taken out of words that %j keeps apart',
    (apart) => {
      const words = 'correct horse battery staple'
      expect(left(`It is ${words.replaceAll(' ', apart)} and so on`, words)).toBe(
        'It is [redacted] and so on',
      )
    },
  )

  it('is taken out of a file with line numbers, line by line and whole', () => {
    const key = ['-----BEGIN KEY-----', 'MIIEvQIBADANBgkqhkiG9w0B', 'Zm9v', '-----END KEY-----']
    const numbered = key.map((line, at) => `${String(at + 7).padStart(6)}→${line}`).join('\n')
    expect(left(`file:\n${numbered}\n    11→next`, key.join('\n'))).toBe(
      'file:\n     7→[redacted]\n    11→next',
    )
  })
})

it.each(
  (['base64', 'latin1'] as const).flatMap((as) =>
    ['', 'x'].flatMap((before) => ['little', 'big'].map((end) => ({ as, before, end }))),
  ),
)(
  'a secret of other letters is found in JSON in UTF-16: $as, $end end, behind "$before"',
  (way) => {
    const secret = 'ключ&от<Zq7'
    const json = `{"a":"${secret.replace(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`)}"}`
    const little = Buffer.from(json, 'utf16le')
    const bytes = way.end === 'big' ? little.swap16() : little
    const text = Buffer.concat([Buffer.from(way.before), bytes]).toString(way.as)
    expect(left(`file: ${text}`, secret)).toContain('[redacted]')
  },
)

it('a secret is found whichever way its characters are composed', () => {
  const secret = 'Crème-Brûlée'
  for (const form of ['NFC', 'NFD'] as const) {
    for (const other of ['NFC', 'NFD'] as const) {
      expect(left(`It is ${secret.normalize(form)}.`, secret.normalize(other))).toBe(
        'It is [redacted].',
      )
    }
  }
})

const printed = new Set([
  'colors in it',
  'colors in JSON',
  'a hyperlink in it',
  'the end of a hyperlink in it',
  'a character without width in it',
  'shell, a line that goes on',
  'UTF-16 read as bytes',
])

describe('whatever is written into what', () => {
  const characters = fc.oneof(
    fc.constantFrom(...'abcXYZ0189-_./+&<>="\'%$!\\ é:@'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  )
  const arbitrarySecret = fc
    .tuple(
      fc.constantFrom('sk-', 'Zq7', 'p9'),
      fc.array(characters, { minLength: 8, maxLength: 30 }),
    )
    .map(([start, rest]) => `${start}${rest.join('')}7xK`)
    .filter((text) => text.isWellFormed() && text.normalize() === text)
  const nested = fc.array(fc.constantFrom(...writings), { minLength: 1, maxLength: 3 })
  const around = fc.constantFrom('', ' ', '\n', ': ', '{"a":"', 'x = ', 'x', '# ')

  it('is found', () => {
    fc.assert(
      fc.property(arbitrarySecret, nested, around, (secret, all, before) => {
        // A terminal prints colors into what is written already, and what is not ASCII is in bytes
        // that one layer may tear apart for the next.
        const [inner, outer] = [all.filter(({ name }) => !printed.has(name)), all.slice(-1)]
        const ways = /[^ -~]/.test(secret) ? outer : [...inner, ...outer]
        const written = ways.reduce((text, { write }) => write(text.toWellFormed()), secret)
        const clean = left(`${before}${written}"`, secret)
        expect(clean, ways.map(({ name }) => name).join(', in ')).toContain('[redacted]')
        expect(left(clean, secret)).toBe(clean)
      }),
      runs(400),
    )
  })

  it('is not found in what is something else', () => {
    fc.assert(
      fc.property(
        arbitrarySecret,
        fc.array(fc.oneof(arbitrarySecret, fc.string({ unit: 'binary', maxLength: 80 })), {
          maxLength: 9,
        }),
        nested,
        (secret, others, ways) => {
          const text = others
            .filter((other) => !other.includes(secret))
            .map((other) => ways.reduce((all, { write }) => write(all.toWellFormed()), other))
            .join(' ')
          expect(left(text, secret)).toBe(text)
        },
      ),
      runs(150),
    )
  })

  it('short and common texts are not put together from others', () => {
    for (const [text, secret] of [
      ['123\n456', '123456'],
      ['"123" + "456"', '123456'],
      ['pass\nword', 'password'],
      ['12 34 56', '123456'],
    ] as const) {
      expect(left(text, secret)).toBe(text)
    }
  })
})

describe('of several encoded texts', () => {
  const secret = 'sk-live-Zq7xK9wLmP2vB4nT'
  const ways = {
    base64: (text: string) => Buffer.from(text).toString('base64'),
    'hexadecimal digits': (text: string) => Buffer.from(text).toString('hex'),
    numbers: (text: string) => [...Buffer.from(text)].join(', '),
  }
  const others = ['the first of them', 'another one here', 'a third to look at', 'and the last']

  it.each(Object.entries(ways))(
    'in %s, whichever holds the secret loses it, and the others stay as they are',
    (_, encoded) => {
      for (let holder = 0; holder <= others.length; holder++) {
        const texts = others.toSpliced(holder, 0, `${secret} and more`).map(encoded)
        const lines = left(texts.join('\n'), secret).split('\n')
        const kept = others.map(encoded)
        expect(lines.toSpliced(holder, 1)).toEqual(kept)
        expect(lines[holder]).toContain('[redacted]')
        expect(lines[holder]).not.toContain(encoded(secret.slice(3, -3)))
      }
    },
  )
})

describe('a secret over several texts', () => {
  const secret = 'sk-live-Zq7xK9wLmP2vB4nT'
  const inspected = (log: readonly Entry[]): Entry[] => {
    const inspection = new Inspection(redactText(secret))
    for (const entry of log) inspection.look(entry)
    return log.map((entry) => inspection.change(entry) ?? entry)
  }
  const saidIn = (entries: readonly unknown[]): string => JSON.stringify(entries)

  it('is taken out of two parts of one message', () => {
    const parts = [secret.slice(0, 9), secret.slice(9)].map(
      (text) => ({ type: 'text', text }) as const,
    )
    const [entry] = logFrom([human(parts)]).map((each) => redactText(secret)(each))
    expect(entry).toMatchObject({
      message: { content: [{ text: '[redacted]' }, { text: '[redacted]' }] },
    })
  })

  it.each([1, 3, 12, 20, 23])('is taken out of two messages, cut after %d characters', (at) => {
    const log = logFrom([
      assistant(`The key is ${secret.slice(0, at)}`),
      assistant(`${secret.slice(at)}, as you see.`),
    ])
    expect(saidIn(inspected(log))).toContain('The key is [redacted]')
    expect(saidIn(inspected(log))).toContain('[redacted], as you see.')
  })

  it('is taken out of pieces of a few letters, and out of outputs that go on', () => {
    const pieces = secret.match(/.{1,3}/g) ?? []
    expect(saidIn(inspected(logFrom(pieces.map((piece) => assistant(piece)))))).not.toMatch(
      /sk-|9wL|4nT/,
    )
    const outputs = logFrom([
      tool(result('a', 'read', `page 1: ${secret.slice(0, 10)}`)),
      assistant('Go on.'),
      tool(result('b', 'read', `${secret.slice(10)} end`)),
    ])
    const [first, second, third] = inspected(outputs)
    expect(saidIn([first, third])).not.toMatch(/sk-live|P2vB4nT/)
    expect(second).toBe(outputs[1])
  })
})

describe('a report', () => {
  it('names what looks like the secret, and what nobody could look into', () => {
    const secret = 'sk-live-Zq7xK9wLmP2vB4nT'
    const inspection = new Inspection(redactText(secret))
    const log = logFrom([
      human(`It is ${secret}.`),
      human('It begins with sk-live-Zq7xK9wLm…'),
      assistant('In capitals: SK LIVE ZQ7XK9 WLMP2 VB4NT'),
      human('sk-live is how keys of this kind begin.'),
      human([{ type: 'image', image: 'aaaa', mediaType: 'image/png' }]),
      human([{ type: 'file', data: 'aaaa', mediaType: 'text/plain' }]),
    ])
    for (const entry of log) inspection.look(entry)
    expect(inspection.seqs).toEqual([1])
    expect(inspection.near).toEqual([
      { ref: '2.0', why: 'a piece of it' },
      { ref: '3.0', why: 'its letters, in another case or with something between them' },
    ])
    expect(inspection.unread).toEqual(['5.0'])
  })

  it('names a piece in the bytes of a file, and common words only where most of them are there', () => {
    const near = (secret: string, said: Parameters<typeof human>[0]): string[] => {
      const inspection = new Inspection(redactText(secret))
      for (const entry of logFrom([human(said)])) inspection.look(entry)
      return inspection.near.map(({ ref }) => ref)
    }
    const bytes = (text: string): Parameters<typeof human>[0] => [
      { type: 'file', data: new TextEncoder().encode(text), mediaType: 'text/plain' },
    ]
    expect(near('sk-live-Zq7xK9wLmP2vB4nT', bytes('begins with sk-live-Zq7xK9wLm'))).toEqual([
      '1.0',
    ])
    expect(near('sk-live-Zq7xK9wLmP2vB4nT', bytes('begins with sk-live'))).toEqual([])
    const phrase = 'correct horse battery staple'
    expect(near(phrase, 'He bought a correct horse battery st.')).toEqual(['1.0'])
    expect(near(phrase, 'He bought a correct horse barn.')).toEqual([])
  })

  it('names outputs with an image as what nobody could look into, and no text or data', () => {
    const inspection = new Inspection(redactText('sk-live-Zq7xK9wLmP2vB4nT'))
    const image = { type: 'image-data', data: 'aaaa', mediaType: 'image/png' } as const
    const words = { type: 'text', text: 'See the picture.' } as const
    const log = logFrom([
      tool(result('a', 'shot', { type: 'content', value: [words, image] })),
      tool(result('b', 'shot', { type: 'content', value: [words] })),
      human([{ type: 'file', data: 'aaaa', mediaType: 'application/json' }]),
      human([{ type: 'file', data: 'aaaa', mediaType: 'application/pdf' }]),
    ])
    for (const entry of log) inspection.look(entry)
    expect(inspection.unread).toEqual(['1.0', '4.0'])
  })
})
