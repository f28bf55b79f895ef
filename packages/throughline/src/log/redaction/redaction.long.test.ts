import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../session/session.ts'
import { memoryStore } from '../../stores/memory.ts'
import { illegalities } from '../../testing/legal.ts'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { drive } from '../../testing/generate/drive.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { draftOf, type CheckpointDraft, type Entry, type EntryDraft } from '../entry.ts'
import { RedactionError } from './secret.ts'
import { redactRef, redactText } from './redaction.ts'
import type { Message } from '../message.ts'

const key = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
  'Zq7xK9wLmP2vB4nT8yR1sD6fG3hJ5kQ0eWcVbNmXzAiUoYtRrEeW',
  'Zm9vYmFy',
  '-----END PRIVATE KEY-----',
].join('\n')

/** What an entry is made of; no content. */
const structural: ReadonlySet<string> = new Set([
  'kind',
  'type',
  'role',
  'origin',
  'finish',
  'how',
  'ref',
  'seq',
  'base',
  'at',
  'from',
  'to',
])

function shape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value
  if (Array.isArray(value)) return value.map(shape)
  const fields = Object.entries(value).map(([name, field]) =>
    structural.has(name) ? [name, field] : [name, shape(field)],
  )
  return Object.fromEntries(fields)
}

/** The shape of what redaction may not touch: not that of free data, whose names are content. */
function shapeOf(entry: Entry): unknown {
  const whole = JSON.parse(JSON.stringify(entry), (name, value: unknown) =>
    ['input', 'metadata', 'providerOptions', 'data', 'value', 'image'].includes(name)
      ? null
      : value,
  )
  return shape(whole)
}

/** What would be left of the log after a redaction. */
function redacted(log: readonly Entry[], redaction: (entry: Entry) => Entry | undefined): Entry[] {
  return log.map((entry) => redaction(entry) ?? entry)
}

async function contextAfter(entries: readonly Entry[]): Promise<Message[]> {
  const store = memoryStore()
  await store.append('a', entries.map(draftOf))
  return (await openSession({ store, id: 'a', window: { context: 1e6 } })).messages()
}

/** Texts that stand in the log, words of its structure, ids, and texts that nobody said. */
function secretsOf(entries: readonly Entry[]): fc.Arbitrary<string> {
  const said =
    JSON.stringify(entries).match(/[^"\\{}[\]:,\s][^"\\{}[\]:,]{4,40}[^"\\{}[\]:,\s]/g) ?? []
  return fc.oneof(
    fc.constantFrom(...said, 'never said by anyone'),
    fc.constantFrom('assistant', 'message', 'tool-call', 'tool-result', 'checkpoint', 'pruned'),
    fc.constantFrom('execution-denied', 'synthetic', 'content', 'tool-calls', 'summary'),
  )
}

describe('a redaction', () => {
  it('leaves what entries are, and pairs whole, whatever the secret is', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession({ maxSteps: 30 }), fc.gen(), async (drafts, gen) => {
        const { session } = await drive(drafts, { window: { context: 9_000 } })
        await session.compact().catch(() => undefined)
        const log = await session.log()
        const redaction = redactText(gen(secretsOf, log))
        const after = redacted(log, redaction)
        expect(after.map(shapeOf)).toEqual(log.map(shapeOf))
        expect(illegalities(await contextAfter(after))).toEqual(
          illegalities(await contextAfter(log)),
        )
        // A second one finds nothing.
        expect(after.map(redaction)).toEqual(after.map(() => undefined))
      }),
      { ...runs(40), endOnFailure: true },
    )
  })

  it('takes a secret out in every form in which it was said', () => {
    fc.assert(
      fc.property(
        arbitrarySecret,
        fc.array(arbitrarySaying, { minLength: 1 }),
        (secret, sayings) => {
          const log = logFrom(sayings.map((say) => say(secret)))
          for (const entry of redacted(log, redactText(secret))) {
            expect(holds(entry, secret)).toBe(false)
          }
        },
      ),
      runs(150),
    )
  })

  it('keeps a message that does not hold the secret as it is', () => {
    fc.assert(
      fc.property(arbitrarySession({ maxSteps: 20 }), (drafts) => {
        const redaction = redactText('Zq7xK9wLmP2-never-said')
        for (const entry of logFrom(drafts)) expect(redaction(entry)).toBeUndefined()
      }),
      runs(20),
    )
  })

  it('takes a key of several lines out, also where it is indented or cut into lines', () => {
    const indented = key.replaceAll('\n', '\r\n    ')
    const log = logFrom([human(key), human(indented), human(key.split('\n')[1] ?? '')])
    const left = JSON.stringify(redacted(log, redactText(key)))
    for (const line of key.split('\n').slice(0, 3)) expect(left).not.toContain(line)
    expect(left).toContain('[redacted]')
  })

  it('takes pieces out of summaries, and leaves common words there', () => {
    const secret = 'postgres://admin:Zq7xK9wLmP2vB4nT@internal.example.com/main'
    const summary = (text: string): CheckpointDraft => ({
      kind: 'checkpoint',
      at: 0,
      base: 1,
      summary: text,
      summarizer: 'local',
      tail: [{ type: 'entry', seq: 1, replacements: [{ how: 'clipped', ref: '1.0', text }] }],
      continuation: null,
      metadata: {},
    })
    const text = 'The admin uses postgres. Names: K9wLmP2v, Zq7xK9wL… and internal.example.com'
    const [, checkpoint] = redacted(logFrom([human(secret), summary(text)]), redactText(secret))
    const clean = 'The admin uses postgres. Names: [redacted], [redacted]… and internal.example.com'
    expect(checkpoint).toEqual({ ...summary(clean), seq: 2 })
    // What people say is only changed where it holds the secret.
    expect(redactText(secret)({ ...human(text), seq: 1 })).toBeUndefined()
  })

  it('of a part takes what it said out of summaries too, where it is quoted in pieces', () => {
    const said = `The password for the server in the cellar is Zq7xK9wLmP2vB4nT5678. ${'More. '.repeat(99)}`
    const checkpoint: EntryDraft = {
      kind: 'checkpoint',
      at: 0,
      base: 1,
      summary:
        '- The password for the server in the cellar is … [1]\n- Names: Zq7xK9wLmP2vB4nT5678',
      summarizer: 'local',
      tail: [],
      continuation: null,
      metadata: {},
    }
    const log = logFrom([human(said), checkpoint])
    const [, after] = redacted(log, redactRef(log, '1'))
    expect(after).toMatchObject({ summary: '- [redacted] … [1]\n- Names: [redacted]' })
  })

  it('refuses what is too short to be told from other text', () => {
    for (const text of ['', 'abc', '  abc  ', '12345']) {
      expect(() => redactText(text)).toThrow(RedactionError)
    }
    expect(() => redactText('123456')).not.toThrow()
  })

  it('reaches as deep as an entry may be nested', () => {
    let data: unknown = 'Zq7xK9wLmP2vB4nT'
    for (let depth = 0; depth < 490; depth++) data = depth % 2 ? { data } : [data]
    const note: EntryDraft = {
      kind: 'observation',
      at: 0,
      observation: { type: 'note', name: 'n', data },
    }
    const [entry] = redacted(logFrom([note]), redactText('Zq7xK9wLmP2vB4nT'))
    expect(JSON.stringify(entry)).toContain('[redacted]')
    expect(JSON.stringify(entry)).not.toContain('Zq7x')
  })

  it('costs time that grows with the text, and not with its square', () => {
    const secret = 'ab'.repeat(2_000)
    const text = 'ab'.repeat(200_000)
    const [entry] = redacted(logFrom([human(text)]), redactText(secret))
    expect(entry).toMatchObject({ message: { content: '[redacted]'.repeat(100) } })
  })
})

const arbitrarySecret = fc.oneof(
  fc
    .string({ unit: 'binary', minLength: 8, maxLength: 60 })
    .filter((text) => text.trim().length >= 8),
  fc.constantFrom(
    key,
    'correct horse battery staple',
    'p"a\\s\nswort\u0000é',
    'tool-result',
    '[redacted]',
  ),
)

type Say = (secret: string) => EntryDraft

const arbitrarySaying = fc.constantFrom<Say[]>(
  (secret) => human(`It is ${secret}, I think.`),
  (secret) =>
    human([{ type: 'file', data: new TextEncoder().encode(`a${secret}b`), mediaType: 'a/b' }]),
  (secret) =>
    assistant([call('c', 'bash', { command: `curl -H "x: ${secret}"`, [secret]: [secret] })]),
  (secret) => assistant([call('c', 'bash', JSON.stringify({ deep: JSON.stringify([secret]) }))]),
  (secret) =>
    tool(result('c', 'read', { type: 'json', value: { lines: [secret, { a: secret }] } })),
  (secret) => tool(result('c', 'read', { type: 'error-text', value: `failed: ${secret}` })),
  (secret) =>
    tool(result('c', 'read', { type: 'content', value: [{ type: 'text', text: secret }] })),
  (secret) => tool(result('c', 'read', { type: 'execution-denied', reason: secret })),
  (secret) => ({ ...human('hi'), metadata: { host: { token: secret } } }),
  (secret) => ({ kind: 'pin', at: 0, text: secret }),
  (secret) => ({
    kind: 'prune',
    at: 0,
    base: 0,
    metadata: {},
    replacements: [{ how: 'clipped', ref: '1.0', input: { a: secret } }],
  }),
)

/** Whether content of the entry holds the secret; bytes are read as text. */
function holds(value: unknown, secret: string): boolean {
  if (typeof value === 'string') return secret !== '[redacted]' && value.includes(secret)
  if (value instanceof Uint8Array) return holds(new TextDecoder().decode(value), secret)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, field]) => !structural.has(name) && (holds(name, secret) || holds(field, secret)),
  )
}

describe('a redaction by ref', () => {
  it('takes the copies of the part out of every entry', () => {
    const secret = 'the password of the staging server is correct-horse-battery'
    const log = logFrom([
      human(secret),
      assistant([call('a', 'write', { text: secret })]),
      tool(result('a', 'write', secret)),
      human('go on'),
    ])
    const left = redacted(log, redactRef(log, '1'))
    expect(JSON.stringify(left)).not.toContain('correct-horse')
    expect(left.at(-1)).toEqual(log.at(-1))
  })
})

/** As `xxd` prints it. */
function xxd(text: string): string {
  const all = Buffer.from(text)
  return Array.from({ length: Math.ceil(all.length / 16) }, (_, line) => {
    const row = all.subarray(line * 16, line * 16 + 16)
    const hex = row.toString('hex').replace(/.{4}/g, '$& ')
    const shown = row.toString('latin1').replace(/[^ -~]/g, '.')
    return `${(line * 16).toString(16).padStart(8, '0')}: ${hex.padEnd(41)} ${shown}\n`
  }).join('')
}

describe('a dump that is all that a message says', () => {
  it.each([
    'first-line-1234\nsecond-line-5678',
    '-----BEGIN KEY-----\naB3dE5fG7hI9jK1l\n-----END KEY-----',
    key,
  ])('goes whole, and nothing of what was said around it: %j', async (secret) => {
    const store = memoryStore()
    const said = ['Never push.', 'Look at it.', 'Fix the tests.', xxd(secret), 'And then?', 'Last.']
    await store.append(
      'a',
      said.map((text) => human(text)),
    )
    const session = await openSession({ store, id: 'a', window: { context: 100_000 } })
    const { seqs } = await session.redact({ text: secret })
    const left = (await store.read('a')).flatMap((entry) =>
      entry.kind === 'message' ? [entry.message.content] : [],
    )
    expect(seqs).toEqual([4])
    expect(left.filter((_, at) => at !== 3)).toEqual(said.filter((_, at) => at !== 3))
    expect(String(left[3]).trim()).toBe('[redacted]')
  })
})
