import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { blankParts, textsOf } from './blank-part.ts'
import { redactCopies, redactRef, redactText } from './redaction.ts'
import type { Entry, EntryDraft } from '../entry.ts'
import type { Part, ToolOutput } from '../message.ts'

const said = 'The password of the cellar server is Zq7xK9wLmP2vB4nT5678.'
const other = 'Nothing to see in this long line of text.'
const checkpoint = (extra: object = {}): EntryDraft =>
  ({
    kind: 'checkpoint',
    at: 0,
    base: 1,
    summary: 'fine',
    summarizer: 'local',
    tail: [],
    continuation: null,
    metadata: {},
    ...extra,
  }) as EntryDraft

const after = (log: readonly Entry[], ref: string): (Entry | undefined)[] =>
  log.map(redactRef(log as never, ref))
const blanked = (part: Part): unknown => {
  const message = { role: 'assistant', content: [part] }
  const entry = { kind: 'message', at: 0, origin: 'model', message, seq: 1 } as Entry
  const blank = blankParts(entry, '1.0')
  return blank.kind === 'message' && blank.message.content[0]
}

describe('a part that is taken out', () => {
  it.each<[Part, unknown]>([
    [
      { type: 'text', text: said },
      { type: 'text', text: '[redacted]' },
    ],
    [
      { type: 'reasoning', text: said, providerOptions: { a: { signature: said } } },
      { type: 'reasoning', text: '[redacted]' },
    ],
    [
      { type: 'image', image: said },
      { type: 'text', text: '[redacted]' },
    ],
    [
      { type: 'file', data: said, mediaType: 'a/b' },
      { type: 'text', text: '[redacted]' },
    ],
    [
      { type: 'reasoning-file', data: said, mediaType: 'a/b' },
      { type: 'text', text: '[redacted]' },
    ],
    [
      call('a', 'bash', { [said]: [said, 1] }) as Part,
      call('a', 'bash', { '[redacted]': ['[redacted]', 1] }),
    ],
    [call('a', 'bash', said) as Part, call('a', 'bash', '[redacted]')],
    [
      { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' },
      { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' },
    ],
  ])('is emptied, and its pair stays whole: %j', (part, empty) => {
    expect(blanked(part)).toEqual(empty)
  })

  it.each<[ToolOutput, string]>([
    [{ type: 'text', value: said }, 'text'],
    [{ type: 'json', value: said }, 'text'],
    [{ type: 'content', value: [] }, 'text'],
    [{ type: 'error-text', value: said }, 'error-text'],
    [{ type: 'error-json', value: said }, 'error-text'],
    [{ type: 'execution-denied', reason: said }, 'error-text'],
  ])('of a result says whether it failed: %j', (output, type) => {
    expect(blanked(result('a', 'bash', output))).toEqual(
      result('a', 'bash', { type, value: '[redacted]' } as ToolOutput),
    )
  })

  it('is that part alone, or the whole message', () => {
    const log = logFrom([
      human([
        { type: 'text', text: said },
        { type: 'text', text: other },
      ]),
      human(other),
    ])
    const texts = (ref: string): unknown =>
      after(log, ref).map((entry) => entry?.kind === 'message' && entry.message.content)
    const empty = { type: 'text', text: '[redacted]' }
    expect(texts('1.0')).toEqual([[empty, { type: 'text', text: other }], false])
    expect(texts('1')).toEqual([[empty, empty], '[redacted]'])
    expect(texts('2')).toEqual([[{ type: 'text', text: said }, empty], [empty]])
  })

  it('goes from what else stands in its place: replacements, tails, pins and continuations', () => {
    const replacement = (ref: string): object => ({ how: 'clipped', ref, text: 'Zq7…' })
    const input = (ref: string): object => ({ how: 'clipped', ref, input: { a: 'Zq7…', b: 1 } })
    const prune = (...replacements: object[]): EntryDraft =>
      ({ kind: 'prune', at: 0, base: 1, replacements, metadata: {} }) as EntryDraft
    const pin = (ref?: string): EntryDraft =>
      ({ kind: 'pin', at: 0, text: 'Zq7…', ...(ref && { ref }) }) as EntryDraft
    const continuation = (of?: number): object => ({
      kind: 'unanswered',
      message: { role: 'user', content: 'Zq7…', providerOptions: {} },
      metadata: {},
      ...(of !== undefined && { of, replacements: [replacement(`${of}.0`)] }),
    })
    const log = logFrom([
      human(said),
      human(other),
      prune(replacement('1.0'), input('1.0'), replacement('2.0'), replacement('11.0')),
      checkpoint({
        tail: [
          { type: 'entry', seq: 1, replacements: [replacement('1.0')] },
          { type: 'entry', seq: 2, replacements: [replacement('2.0')] },
          { type: 'entry', seq: 2 },
          { type: 'omission', from: 1, to: 2, text: 'left out' },
        ],
        continuation: continuation(1),
      }),
      checkpoint({ continuation: continuation(2) }),
      checkpoint({ continuation: continuation() }),
      pin('1'),
      pin('1.0'),
      pin('2'),
      pin(),
    ])
    const clean = { how: 'clipped', text: '[redacted]' }
    const changed = after(log, '1')
    expect(changed[2]).toMatchObject({
      replacements: [
        { ...clean, ref: '1.0' },
        { how: 'clipped', ref: '1.0', input: { '[redacted]': 1 } },
        replacement('2.0'),
        replacement('11.0'),
      ],
    })
    expect(changed[3]).toMatchObject({
      tail: [
        { seq: 1, replacements: [{ ...clean, ref: '1.0' }] },
        { seq: 2, replacements: [replacement('2.0')] },
        { type: 'entry', seq: 2 },
        { type: 'omission', text: 'left out' },
      ],
      continuation: {
        kind: 'unanswered',
        of: 1,
        message: { role: 'user', content: '[redacted]' },
        replacements: [{ ...clean, ref: '1.0' }],
      },
    })
    expect(changed.map((entry) => entry?.seq)).toEqual([
      1,
      undefined,
      3,
      4,
      undefined,
      undefined,
      7,
      8,
      undefined,
      undefined,
    ])
    expect(changed[6]).toMatchObject({ text: '[redacted]', ref: '1' })
    // Of one part: what pins the whole message pins more than that.
    expect(after(log, '1.0').map((entry) => entry?.seq)).toEqual([
      1,
      undefined,
      3,
      4,
      undefined,
      undefined,
      undefined,
      8,
      undefined,
      undefined,
    ])
  })

  it('goes from its copies anywhere, and from summaries line by line', () => {
    const lines = `${said}\nshort\n${other}`
    const log = logFrom([
      human(lines),
      assistant(`You said: ${lines}`),
      assistant(said),
      checkpoint({ summary: `- ${said}\n- short\n- a line of its own` }),
    ])
    const changed = after(log, '1')
    expect(changed[1]).toMatchObject({ message: { content: 'You said: [redacted]' } })
    expect(changed[2]).toBeUndefined()
    expect(changed[3]).toMatchObject({ summary: '- [redacted]\n- short\n- a line of its own' })
    const copies = log.map(redactCopies(log, '1'))
    expect(copies[0]).toMatchObject({ message: { content: '[redacted]' } })
    expect(copies[1]).toMatchObject({ message: { content: 'You said: [redacted]' } })
    expect(copies[3]).toBeUndefined()
    expect(() => redactCopies(log, '9')).toThrow(expect.objectContaining({ code: 'REF_NOT_FOUND' }))
    expect(() => redactRef(log, '9')).toThrow(expect.objectContaining({ code: 'REF_NOT_FOUND' }))
  })
})

describe('the texts of a part', () => {
  it('are what can be known again elsewhere', () => {
    const entry = logFrom([
      assistant([call('a', 'bash', { command: 'npm test', path: 'src/a.ts' })]),
    ])
    expect(textsOf({ type: 'text', text: said })).toEqual([said])
    expect(textsOf({ type: 'file', data: 'abc', mediaType: 'a/b', filename: 'x' })).toEqual(
      expect.arrayContaining(['abc', 'x']),
    )
    expect(textsOf(result('a', 'bash', said))).toEqual([said])
    // A name alone, as a call holds it, stands in many places for other reasons.
    expect(textsOf(call('a', 'bash', { command: 'npm test', path: 'src/a.ts' }) as Part)).toEqual([
      'npm test',
    ])
    const [first] = entry
    expect(first?.kind === 'message' && textsOf(first.message)).toEqual(['npm test'])
    expect(textsOf({ role: 'user', content: said })).toEqual([said])
  })
})

describe('a secret', () => {
  const key = 'Zq7xK9wLmP2vB4nT'
  const left = (content: string, secret = key): unknown => {
    const [entry] = logFrom([human(content)])
    const changed = redactText(secret)(entry as Entry)
    return changed?.kind === 'message' ? changed.message.content : content
  }

  it('goes in base64, wherever in the encoded text it begins, and as in a URL', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const encoded = Buffer.from(`${before}${key}-and-more`).toString('base64')
      expect(left(`x ${encoded}`)).toContain('[redacted]')
      expect(Buffer.from(encoded, 'base64').toString()).toContain(key)
    }
    expect(left('a%20b%2Fc%3Fd', 'a b/c?d')).toBe('[redacted]')
    expect(left('say \\"hi\\" and \\\\\\"hi\\\\\\"', 'say "hi"')).toBe(
      '[redacted] and \\\\\\"hi\\\\\\"',
    )
  })

  it('that is a piece of the marker leaves another mark', () => {
    expect(left('it was redacted', 'redacted')).toBe('it was […]')
    expect(left('it was redacted', 'was redacted')).toBe('it [redacted]')
  })

  it('goes with and without the blanks around it', () => {
    expect(left(`a ${key} b`, `  ${key}\n`)).toBe('a [redacted] b')
    expect(left(`a   ${key}\n b`, `  ${key}\n`)).toBe('a [redacted] b')
  })

  it('of several lines goes line by line, but for short lines', () => {
    const secret = 'first line of the key\r\n  tiny\n   second line of the key  '
    expect(left('first line of the key, tiny, second line of the key', secret)).toBe(
      '[redacted], tiny, [redacted]',
    )
    expect(left('exactly 16 chars', 'exactly 16 chars\nxxxxxxx')).toBe('[redacted]')
    expect(left('only 15 letters', 'only 15 letters\nxxxxxxx')).toBe('only 15 letters')
  })

  it('that is too short says how long it is and how long it must be', () => {
    expect(() => redactText('  abc  ')).toThrow(
      expect.objectContaining({
        code: 'REDACTION',
        length: 3,
        shortest: 6,
        message:
          'A text of 3 characters cannot be redacted, because so short a text also occurs inside other texts. Give the whole secret, of at least 6 characters.',
      }),
    )
  })

  it('goes from names, bytes and addresses, and not from what entries are made of', () => {
    const secret = 'assistant'
    const entry = logFrom([
      assistant([
        { type: 'text', text: 'assistant' },
        call('c', 'x', { assistant: { type: 'assistant', role: 'assistant' } }),
      ]),
      human([
        { type: 'file', data: new URL('https://a.b/assistant?x'), mediaType: 'a/b' },
        { type: 'file', data: new TextEncoder().encode('an assistant'), mediaType: 'a/b' },
      ]),
      step('a', 'x', {}, 'nothing'),
    ])
    const [first, second, ...rest] = entry.map(redactText(secret))
    expect(first).toMatchObject({
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: '[redacted]' },
          { input: { '[redacted]': { type: '[redacted]', role: '[redacted]' } } },
        ],
      },
    })
    const files = second?.kind === 'message' ? (second.message.content as { data: unknown }[]) : []
    expect(String(files[0]?.data)).toBe('https://a.b/[redacted]?x')
    expect(files[0]?.data).toBeInstanceOf(URL)
    expect(new TextDecoder().decode(files[1]?.data as Uint8Array)).toBe('an [redacted]')
    expect(rest).toEqual([undefined, undefined])
    const address = logFrom([
      human([{ type: 'file', data: new URL('https://assistant.b/'), mediaType: 'a/b' }]),
    ])
    const [changed] = address.map(redactText('https://assistant'))
    const [file] =
      changed?.kind === 'message' ? (changed.message.content as { data: unknown }[]) : []
    expect(file?.data).toBe('[redacted].b/')
    const same = tool(
      result('a', 'x', { type: 'content', value: [{ type: 'text', text: 'text' }] }),
    )
    const [kept] = logFrom([same]).map(redactText('textual'))
    expect(kept).toBeUndefined()
  })

  it('goes from a summary in pieces of eight characters that are like no word, or two thirds of it', () => {
    const secret = 'correct horse battery staple 4Xk9Lm2Pq'
    const summary = (text: string): unknown => {
      const [entry] = logFrom([checkpoint({ summary: text })])
      const changed = redactText(secret)(entry as Entry)
      return changed?.kind === 'checkpoint' ? changed.summary : text
    }
    expect(summary('a (4Xk9Lm2P) here')).toBe('a ([redacted]) here')
    expect(summary('a (4Xk9Lm2) here')).toBe('a (4Xk9Lm2) here')
    expect(summary('the battery horse')).toBe('the battery horse')
    expect(summary('horse battery staple')).toBe('horse battery staple')
    expect(summary('so: correct horse battery stap!')).toBe('so: [redacted]!')
    expect(summary('(4Xk9Lm2P) and (correct horse battery stap) and 9Lm2Pq')).toBe(
      '([redacted]) and ([redacted]) and 9Lm2Pq',
    )
  })

  it('leaves the kinds of parts in an output, and takes the same word out of its data', () => {
    const kinds = logFrom([
      tool(
        result('a', 'x', { type: 'content', value: [{ type: 'image-data', text: 'image-data' }] }),
      ),
      tool(result('a', 'x', { type: 'json', value: { type: 'image-data' } })),
    ])
    const outputs = kinds
      .map(redactText('image-data'))
      .map((entry) => entry?.kind === 'message' && entry.message.content[0])
    expect(outputs).toEqual([
      result('a', 'x', { type: 'content', value: [{ type: 'image-data', text: '[redacted]' }] }),
      result('a', 'x', { type: 'json', value: { type: '[redacted]' } }),
    ])
  })

  it('goes whole where one of its lines is the beginning of another', () => {
    const secret = 'a line of sixteen\na line of sixteen, and more of it'
    expect(left('a line of sixteen, and more of it', secret)).toBe('[redacted]')
  })

  it('goes from summaries in words that are like no other words, and from prunes too', () => {
    const texts = (text: string): unknown => {
      const [entry] = logFrom([
        {
          kind: 'prune',
          at: 0,
          base: 1,
          replacements: [{ how: 'clipped', ref: '1.0', text }],
          metadata: {},
        },
      ])
      const changed = redactText('token=Zq7xK9;secret=aB1c;host=example')(entry as Entry)
      return changed?.kind === 'prune' ? changed.replacements[0] : text
    }
    expect(texts('(Zq7xK9) (aB1c) token example')).toMatchObject({
      text: '([redacted]) (aB1c) token example',
    })
    expect(texts('token, secret, host, example')).toBe('token, secret, host, example')
  })
})
