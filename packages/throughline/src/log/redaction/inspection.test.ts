import { describe, expect, it } from 'vitest'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { Inspection } from './inspection.ts'
import { redactText } from './redaction.ts'
import { withoutSealedNotes, withoutSealedReasoning } from './sealed-reasoning.ts'
import type { Entry, EntryDraft } from '../entry.ts'
import type { AssistantMessage, AssistantPart, ProviderOptions } from '../message.ts'

const secret = 'sk-live-Zq7xK9wLmP2vB4nT'

function looked(log: readonly Entry[]): Inspection {
  const inspection = new Inspection(redactText(secret))
  for (const entry of log) inspection.look(entry)
  return inspection
}

const checkpoint = (extra: object): EntryDraft =>
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

const sealedBlock: AssistantPart = { type: 'custom', kind: 'openai.compaction' }
const thought = (text: string): AssistantPart => ({
  type: 'reasoning',
  text,
  providerOptions: { anthropic: { signature: 'c2lnbmVk' } },
})

describe('what only a provider can read', () => {
  const log = logFrom([
    human('Hello.'),
    assistant([sealedBlock, { type: 'text', text: 'said' }]),
    assistant([thought('Let me see.')]),
    checkpoint({
      block: {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: [sealedBlock] },
        ],
      },
    }),
    checkpoint({ block: { messages: [{ role: 'assistant', content: 'open' }] } }),
    checkpoint({ metadata: { codex: { encrypted_content: 'xyz', id: 1 } } }),
    assistant('noted', { metadata: { codex: { encrypted_content: 'xyz' } } }),
    { kind: 'pin', at: 0, text: 'a pin' },
  ])

  it('stays where the secret was never said', () => {
    const inspection = looked(log)
    expect([inspection.seqs, inspection.sealed, inspection.reasoning]).toEqual([[], [], []])
    expect(log.map((entry) => inspection.change(entry))).toEqual(log.map(() => undefined))
    expect(inspection.upTo).toBe(8)
  })

  it.each([
    ['whole', [human(`It is ${secret}.`)]],
    ['in pieces', [human(`It is ${secret.slice(0, 9)}`), human(secret.slice(9))]],
  ])('goes where it was said %s, and nothing else does', (_how, saying) => {
    const whole = logFrom([...log.map(({ seq: _seq, ...draft }) => draft as EntryDraft), ...saying])
    const inspection = looked(whole)
    const said = saying.map((_, index) => 9 + index)
    expect(inspection.sealed).toEqual([2, 4])
    expect(inspection.reasoning).toEqual([3, 6, 7])
    expect(inspection.seqs).toEqual([2, 3, 4, 6, 7, ...said])
    const after = whole.map((entry) => inspection.change(entry))
    expect(after.flatMap((entry) => (entry ? [entry.seq] : []))).toEqual([2, 3, 4, 6, 7, ...said])
    expect(after[1]).toMatchObject({
      kind: 'message',
      message: {
        content: [
          { type: 'text', text: '[redacted]' },
          { type: 'text', text: 'said' },
        ],
      },
    })
    expect(after[2]).toMatchObject({
      origin: 'model',
      message: {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Let me see.\n[redacted]' }],
      },
    })
    expect(after[3]).not.toHaveProperty('block')
    expect(after[3]).toMatchObject({ summary: 'fine' })
    expect(after[5]).toMatchObject({ summary: 'fine', metadata: { codex: { id: 1 } } })
    expect(JSON.stringify(after)).not.toContain('xyz')
    expect(JSON.stringify(after)).not.toContain('c2lnbmVk')
  })

  it('is told in the order of the log, whatever was found first', () => {
    const inspection = looked(
      logFrom([
        assistant([thought('a')]),
        human(`first ${secret.slice(0, 9)}`),
        human(secret.slice(9)),
        ...Array.from({ length: 8 }, () => human('nothing')),
        human(secret),
      ]),
    )
    expect(inspection.seqs).toEqual([1, 2, 3, 12])
  })
})

describe('sealed reasoning', () => {
  const only = (part: AssistantPart): unknown => {
    const message: AssistantMessage = {
      role: 'assistant',
      content: [{ type: 'text', text: 'said' }, part],
    }
    const open = withoutSealedReasoning(message)
    if (open === message) return 'the same'
    expect(open).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'said' }, {}] })
    return (open.content as AssistantPart[])[1]
  }
  const sealed = (...fields: [string, unknown][]): ProviderOptions =>
    ({ some: Object.fromEntries([...fields, ['kept', 1]]) }) as ProviderOptions

  it.each([
    'encrypted',
    'encryptedContent',
    'encrypted_content',
    'reasoningEncryptedContent',
    'redactedData',
    'reasoningOpaque',
    'reasoning_opaque',
    'signature',
    'thoughtSignature',
    'thought_signature',
  ])('is what stands under %s', (name) => {
    const part = { type: 'text', text: 'a', providerOptions: sealed([name, 'xyz']) } as const
    expect(only(part)).toEqual({ type: 'text', text: 'a', providerOptions: { some: { kept: 1 } } })
    for (const nothing of ['', 7, null, 'skip_thought_signature_validator']) {
      const open = { ...part, providerOptions: sealed([name, nothing]) } as AssistantPart
      expect(only(open)).toBe('the same')
    }
  })

  it('leaves its words, and says that it lost its seal', () => {
    const options = { some: { signature: 'xyz' } }
    expect(only({ type: 'reasoning', text: 'a thought', providerOptions: options })).toEqual({
      type: 'reasoning',
      text: 'a thought\n[redacted]',
    })
    expect(only({ type: 'reasoning', text: '', providerOptions: options })).toEqual({
      type: 'reasoning',
      text: '[redacted]',
    })
    expect(
      only({ type: 'reasoning-file', data: 'aaaa', mediaType: 'a/b', providerOptions: options }),
    ).toEqual({ type: 'reasoning', text: '[redacted]' })
    expect(only({ type: 'reasoning', text: 'open' })).toBe('the same')
    expect(only({ type: 'custom', kind: 'some.block', providerOptions: options })).toBe('the same')
  })

  it('of a call goes, and Gemini is told that it is not there', () => {
    const of = (providerOptions: ProviderOptions): unknown =>
      only({ ...call('a', 'bash', { x: 1 }), providerOptions } as AssistantPart)
    expect(of({ google: { thoughtSignature: 'xyz', kept: 1 } })).toEqual({
      ...call('a', 'bash', { x: 1 }),
      providerOptions: {
        google: { thoughtSignature: 'skip_thought_signature_validator', kept: 1 },
      },
    })
    expect(of({ other: { signature: 'xyz', kept: 1 } })).toEqual({
      ...call('a', 'bash', { x: 1 }),
      providerOptions: { other: { kept: 1 } },
    })
    expect(of({ google: { signature: 'xyz' } })).toMatchObject({ providerOptions: { google: {} } })
  })

  it('is taken out at any depth, and what stands beside it stays', () => {
    const details = [
      { type: 'reasoning.text', text: 'open', data: 'stays' },
      { type: 'reasoning.encrypted', data: 'xyz', id: 1 },
    ]
    const part: AssistantPart = {
      type: 'text',
      text: 'a',
      providerOptions: { openrouter: { reasoning_details: details, n: 1 } } as never,
    }
    expect(only(part)).toEqual({
      type: 'text',
      text: 'a',
      providerOptions: {
        openrouter: {
          reasoning_details: [details[0], { type: 'reasoning.encrypted', id: 1 }],
          n: 1,
        },
      },
    })
    const bytes = new Uint8Array([1, 2])
    expect(withoutSealedNotes({ a: [{ signature: 'xyz', bytes }] })).toEqual({ a: [{ bytes }] })
    const same = { a: [{ bytes, type: 7, data: 'x' }], b: null, c: { type: 'x', data: 'y' } }
    expect(withoutSealedNotes(same)).toBe(same)
    const nested = (depth: number): object =>
      depth === 0 ? { signature: 'xyz' } : { a: nested(depth - 1) }
    expect(JSON.stringify(withoutSealedNotes(nested(16)))).not.toContain('xyz')
  })

  it('goes from what a message notes as a whole, and only from answers', () => {
    const providerOptions = { some: { signature: 'xyz', kept: 1 } }
    expect(withoutSealedReasoning({ role: 'assistant', content: 'a', providerOptions })).toEqual({
      role: 'assistant',
      content: 'a',
      providerOptions: { some: { kept: 1 } },
    })
    const open = {
      role: 'assistant',
      content: 'a',
      providerOptions: { some: { kept: 1 } },
    } as const
    expect(withoutSealedReasoning(open)).toBe(open)
    const asked = { role: 'user', content: 'a', providerOptions } as const
    expect(withoutSealedReasoning(asked)).toBe(asked)
    // A provider's compaction that everybody can read is nothing without its seal.
    const block = { anthropic: { type: 'compaction', signature: 'xyz' } }
    expect(only({ type: 'text', text: 'a', providerOptions: block })).toBe('the same')
    expect(
      only({ type: 'text', text: 'a', providerOptions: { anthropic: { signature: 'xyz' } } }),
    ).toEqual({ type: 'text', text: 'a', providerOptions: { anthropic: {} } })
  })
})

describe('a secret over several texts', () => {
  const after = (...drafts: EntryDraft[]): unknown[] => {
    const log = logFrom(drafts)
    const inspection = looked(log)
    return log.map((entry) => {
      const changed = inspection.change(entry)
      return changed?.kind === 'message' ? changed.message.content : changed
    })
  }
  const [first, second] = [secret.slice(0, 9), secret.slice(9)]

  it('goes from these alone: what stands before them stays as it is', () => {
    expect(after(assistant('Hello.'), assistant(first), assistant(`${second} end`))).toEqual([
      undefined,
      '[redacted]',
      '[redacted] end',
    ])
    expect(after(human('Hello.'), human(`key: ${first}`), human(''), human(second))).toEqual([
      undefined,
      'key: [redacted]',
      undefined,
      '[redacted]',
    ])
  })

  it('goes from answers, thoughts and outputs, each of which goes on in the next of its kind', () => {
    const text = (said: string): AssistantPart => ({ type: 'text', text: said })
    const think = (said: string): AssistantPart => ({ type: 'reasoning', text: said })
    expect(
      after(
        assistant([think(`a ${first}`), text('b')]),
        assistant([think(`${second} c`), text('d')]),
      ),
    ).toEqual([
      [think('a [redacted]'), text('b')],
      [think('[redacted] c'), text('d')],
    ])
    const output = (id: string, value: string) =>
      tool(result(id, 'x', { type: 'error-text', value }))
    expect(after(output('a', first), human('Go on.'), output('b', second))).toEqual([
      [result('a', 'x', { type: 'error-text', value: '[redacted]' })],
      undefined,
      [result('b', 'x', { type: 'error-text', value: '[redacted]' })],
    ])
    const words = (...said: string[]) =>
      tool(
        result('a', 'x', { type: 'content', value: said.map((text) => ({ type: 'text', text })) }),
      )
    expect(after(words('a', first), words(second, 'b'))).toEqual([
      [
        result('a', 'x', {
          type: 'content',
          value: [
            { type: 'text', text: 'a' },
            { type: 'text', text: '[redacted]' },
          ],
        }),
      ],
      [
        result('a', 'x', {
          type: 'content',
          value: [
            { type: 'text', text: '[redacted]' },
            { type: 'text', text: 'b' },
          ],
        }),
      ],
    ])
    const file = { type: 'content', value: [{ type: 'file-id', fileId: 'f' }] } as never
    expect(after(tool(result('a', 'x', file)), human(first), human(second))[0]).toBeUndefined()
  })

  it('is put together behind long texts, and over as many short ones as it has letters', () => {
    const long = 'word '.repeat(200)
    const [one, other] = after(human(`${long}${first}`), human(`${second}${long}`)) as string[]
    expect(one).toBe(`${long}[redacted]`)
    expect(other).toBe(`[redacted]${long}`)
    const letters = after(...[...secret].map((letter) => human(letter)))
    expect(letters).toEqual([...secret].map(() => '[redacted]'))
  })

  it('is not put together from texts with others of their kind between them', () => {
    expect(after(human(first), human('something else'), human(second))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('what looks like the secret', () => {
  const near = (...drafts: EntryDraft[]): unknown[] => {
    const inspection = looked(logFrom(drafts))
    return inspection.near.map(({ ref, why }) => `${ref} ${why}`)
  }

  it('is at least a third of it, in a row or in pieces that follow each other', () => {
    const piece = 'a piece of it'
    expect(near(human(`${secret.slice(0, 12)}…`))).toEqual([`1.0 ${piece}`])
    expect(near(human(`…${secret.slice(12)}`))).toEqual([`1.0 ${piece}`])
    expect(near(human(`a ${secret.slice(5, 17)} b`))).toEqual([`1.0 ${piece}`])
    expect(near(human(`${secret.slice(0, 11)} ${secret.slice(12, 23)}`))).toEqual([`1.0 ${piece}`])
    expect(near(human(`${secret.slice(0, 8)}****${secret.slice(-4)}`))).toEqual([`1.0 ${piece}`])
    expect(near(human(`${secret.slice(-8)} ${secret.slice(0, 6)}`))).toEqual([`1.0 ${piece}`])
    expect(near(human(`${secret.slice(17)} ${secret.slice(0, 7)}`))).toEqual([])
    expect(near(human(`${secret.slice(0, 7)}${'.a'.repeat(200)}${secret.slice(17)}`))).toEqual([])
  })

  it('is all of its letters, in another case or apart', () => {
    const letters = 'its letters, in another case or with something between them'
    expect(near(human(secret.toUpperCase()))).toEqual([`1.0 ${letters}`])
    expect(near(human([...secret.toLowerCase()].join('_')))).toEqual([`1.0 ${letters}`])
    expect(near(human([...secret].toReversed().join('')))).toEqual(['1.0 its letters, backwards'])
    expect(near(human(Array.from(secret.slice(0, -1)).join('_')))).toEqual(['1.0 a piece of it'])
  })

  it('is named by its part, or by its entry where it has none, and not where it was removed', () => {
    const piece = secret.slice(0, 14)
    expect(near({ kind: 'pin', at: 0, text: `see ${piece}` })).toEqual(['1 a piece of it'])
    for (const input of [{ [piece]: 1 }, { a: [piece] }]) {
      const said = assistant([{ type: 'text', text: 'a' }, call('c', 'x', input)])
      expect(near(said)).toEqual(['1.1 a piece of it'])
    }
    expect(near(human(`key: ${secret}`))).toEqual([])
    expect(near(human(secret.slice(0, 14)), human(secret.slice(14)))).toEqual([])
  })

  it('is named where a message notes it beside its parts', () => {
    const piece = secret.slice(0, 14)
    const model: EntryDraft = { ...assistant('a'), model: piece } as EntryDraft
    const noted = { ...human('a'), metadata: { mine: [piece] } } as EntryDraft
    for (const draft of [model, noted]) expect(near(draft)).toEqual(['1 a piece of it'])
  })

  it('is shown by its ends with a mask between them, however short they are', () => {
    for (const mask of ['…', '****', '...', '•••']) {
      expect(near(human(`key ${secret.slice(0, 3)}${mask}${secret.slice(-4)}`))).toEqual([
        '1.0 a piece of it',
      ])
    }
    expect(near(human(`${secret.slice(0, 3)} ${secret.slice(-4)}`))).toEqual([])
    expect(near(human(`xy…${secret.slice(-4)}`))).toEqual([])
  })

  it('is made of letters that look like its own', () => {
    const words = 'correct battery stable'
    const alike = ['c0rr3ct b4tt3ry st4b13', 'сorrесt bаttеrу stаblе', 'ⓒⓞⓡⓡⓔⓒⓣ ⓑⓐⓣⓣⓔⓡⓨ']
    for (const text of alike) {
      const inspection = new Inspection(redactText(words))
      for (const entry of logFrom([human(text)])) inspection.look(entry)
      expect(inspection.near).toMatchObject([{ ref: '1.0' }])
    }
  })

  it('is its words in entries next to each other, or next to all of it', () => {
    const words = 'correct horses battery staple'
    const [one, other] = [words.slice(0, 14), words.slice(15)]
    const named = (...drafts: EntryDraft[]): string[] => {
      const inspection = new Inspection(redactText(words))
      for (const entry of logFrom(drafts)) inspection.look(entry)
      return inspection.near.map(({ ref }) => ref)
    }
    const spread = [assistant([call('c', 'x', { a: one })]), tool(result('c', 'x', `is ${other}.`))]
    expect(named(...spread)).toEqual(['1', '2'])
    expect(named(human(`first ${one}.`), human(`all: ${words}`))).toEqual(['1'])
    expect(named(human(`first ${one}.`), human(`again ${one}!`))).toEqual([])
    const between = Array.from({ length: 8 }, () => human('something else'))
    expect(named(human(`first ${one}.`), ...between, human(`then ${other}.`))).toEqual([])
  })

  it('is what a summary keeps of a piece that was cut out of it', () => {
    const pieces = `${secret.slice(0, 5)} and then ${secret.slice(5, 20)}`
    const [short, all] = [`${secret.slice(0, 5)} then`, `see ${secret.slice(0, 20)}`]
    const pruned = (text: string): EntryDraft =>
      ({
        kind: 'prune',
        at: 0,
        base: 1,
        replacements: [{ how: 'pruned', ref: '1.0', text }],
        metadata: {},
      }) as EntryDraft
    expect(near(human('a'), pruned(pieces))).toEqual(['2 a piece of it'])
    expect(near(human('a'), pruned(all))).toEqual([])
    expect(near(human('a'), pruned(short))).toEqual([])
  })

  it('is nothing where the secret is as long as a file', () => {
    const file = Array.from({ length: 90 }, (_, at) => `line ${at} Zq7x`).join('\n')
    const inspection = new Inspection(redactText(file))
    for (const entry of logFrom([human(`${file.slice(0, 700)}`)])) inspection.look(entry)
    expect(inspection.near).toEqual([])
  })

  it('has parts that nobody looked into beside it: pictures, and files that are no text', () => {
    const file = (type: 'file' | 'reasoning-file', mediaType: string) =>
      ({ type, data: 'aaaa', mediaType }) as never
    const types = [
      'text/csv',
      'application/json',
      'application/xml',
      'application/yaml',
      'text/javascript',
    ]
    const inspection = looked(
      logFrom([
        human([file('file', 'audio/wav'), ...types.map((each) => file('file', each))]),
        assistant([file('reasoning-file', 'image/png'), { type: 'text', text: 'a' }]),
        { kind: 'pin', at: 0, text: 'a pin' },
      ]),
    )
    expect(inspection.unread).toEqual(['1.0', '2.0'])
  })
})
