import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { human, step } from '../../testing/generate/build.ts'
import { openSession, type Session } from '../session.ts'
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts'
import { rawBytes } from '../../stores/sqlite/testing/raw-bytes.ts'
import { scratchFolder } from '../../stores/sqlite/testing/scratch.ts'
import { placed } from '../../testing/generate/build.ts'
import type { ProviderCompactor } from '../../compaction/provider/provider-compactor.ts'
import type { AssistantPart } from '../../log/message.ts'
import type { Store } from '../store.ts'

const root = scratchFolder()
const secret = 'hunter2-Zq7xK9wLm'
// Nobody else can read it: the secret is in it in a form that nobody finds.
const sealed = `gAAAA${[...secret].toReversed().join('')}`
const block: AssistantPart = {
  type: 'custom',
  kind: 'openai.compaction',
  providerOptions: { openai: { type: 'compaction', itemId: 'c', encryptedContent: sealed } },
}

const compactor: ProviderCompactor = {
  provider: 'openai',
  name: 'openai/compact',
  compact: async () => ({ messages: [{ role: 'assistant', content: [block] }], calls: [] }),
}

/** A session that its provider has compacted twice: when it was asked, and within an answer. */
async function compacted(store: Store, said: string): Promise<Session> {
  const session = await openSession({ store, id: 'a', window: { context: 8_000 }, compactor })
  for (const draft of [
    human(said),
    ...step('c1', 'bash', { command: 'ls' }, 'file '.repeat(1_500)),
    human('And now the rest.'),
    ...step('c2', 'bash', { command: 'ls' }, 'file '.repeat(1_500)),
  ]) {
    await session.append(placed(draft, session.context().seq))
  }
  await session.compact()
  await session.append({
    kind: 'message',
    at: 9,
    origin: 'model',
    finish: 'stop',
    message: { role: 'assistant', content: [block, { type: 'text', text: 'Done.' }] },
  })
  return session
}

it('what a provider sealed goes from the store with the text that it may hold, and the report says so', async () => {
  const file = join(root, 'sealed.db')
  using store = sqliteStore({ file })
  const session = await compacted(store, `The key is ${secret}.`)
  const before = await store.read('a')
  const holders = before.filter((entry) => JSON.stringify(entry).includes(sealed))
  expect(holders.map(({ kind }) => kind)).toEqual(['checkpoint', 'message'])
  expect(JSON.stringify(session.messages())).toContain(sealed)
  const unfindable = rawBytes(file)
  expect(unfindable).toContain(sealed)

  const report = await session.redact({ text: secret })
  const sealedIn = holders.map(({ seq }) => seq)
  expect(report.sealed).toEqual(sealedIn)
  expect(report.seqs).toEqual(expect.arrayContaining([1, ...sealedIn]))
  expect(rawBytes(file)).not.toContain(sealed)

  const after = await store.read('a')
  const [checkpoint, answer] = sealedIn.map((seq) => after[seq - 1])
  expect(checkpoint).toMatchObject({ kind: 'checkpoint', summary: expect.stringMatching(/./) })
  expect(checkpoint).not.toHaveProperty('block')
  expect(answer).toMatchObject({
    message: {
      content: [
        { type: 'text', text: '[redacted]' },
        { type: 'text', text: 'Done.' },
      ],
    },
  })
  // What it stood for is there again.
  const context = JSON.stringify(session.messages())
  expect(context).not.toContain(sealed)
  expect(context).toContain('prior-conversation-summary')
  await session.undo()
  expect(JSON.stringify(session.messages())).not.toContain(sealed)
})

it('a text that is nowhere takes nothing with it', async () => {
  using store = sqliteStore({ file: join(root, 'kept.db') })
  const session = await compacted(store, 'There is no key.')
  const before = await store.read('a')
  expect(await session.redact({ text: secret })).toMatchObject({ seqs: [], sealed: [] })
  expect(await store.read('a')).toEqual(before)
})

it('a compaction that everybody can read keeps what else it says', async () => {
  using store = sqliteStore({ file: join(root, 'readable.db') })
  const session = await openSession({ store, id: 'a', window: { context: 8_000 } })
  await session.append(placed(human(`The key is ${secret}.`), 0))
  await session.append({
    kind: 'message',
    at: 1,
    origin: 'model',
    finish: 'stop',
    message: {
      role: 'assistant',
      content: [
        {
          type: 'text',
          text: `We deploy with ${secret}, on Fridays.`,
          providerOptions: { anthropic: { type: 'compaction' } },
        },
      ],
    },
  })
  expect(await session.redact({ text: secret })).toMatchObject({ seqs: [1, 2], sealed: [] })
  expect(JSON.stringify(await store.read('a'))).toContain('We deploy with [redacted], on Fridays.')
})

const sealedForms: readonly (readonly [name: string, parts: AssistantPart[]])[] = [
  [
    'OpenAI, with a summary of it',
    [
      {
        type: 'reasoning',
        text: 'I look at the key.',
        providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: sealed } },
      },
    ],
  ],
  [
    'Anthropic, with its signature',
    [
      {
        type: 'reasoning',
        text: 'I look at the key.',
        providerOptions: { anthropic: { signature: sealed } },
      },
    ],
  ],
  [
    'Anthropic, unreadable',
    [{ type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: sealed } } }],
  ],
  [
    'OpenRouter, among its details',
    [
      {
        type: 'reasoning',
        text: 'I look at the key.',
        providerOptions: {
          openrouter: { reasoning_details: [{ type: 'reasoning.encrypted', data: sealed }] },
        },
      },
    ],
  ],
]

test.each(sealedForms)(
  'reasoning that only its provider can read goes with a secret: %s',
  async (name, reasoning) => {
    const file = join(root, `reasoning of ${name}.db`)
    using store = sqliteStore({ file })
    const session = await openSession({ store, id: 'a', window: { context: 100_000 } })
    const call = {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'bash',
      input: { command: 'ls' },
      providerOptions: { openai: { itemId: 'fc_1' } },
    } as const
    const [, result = human('')] = step('c1', 'bash', { command: 'ls' }, 'a.ts')
    await session.append(placed(human(`The key is ${secret}.`), 0))
    await session.append({
      kind: 'message',
      at: 1,
      origin: 'model',
      finish: 'tool-calls',
      message: { role: 'assistant', content: [...reasoning, call] },
    })
    await session.append(placed(result, 2))
    expect(rawBytes(file)).toContain(sealed)
    expect(JSON.stringify(session.messages())).toContain(sealed)

    const report = await session.redact({ text: secret })
    expect(report).toMatchObject({ seqs: [1, 2], sealed: [], reasoning: [2] })
    expect(rawBytes(file)).not.toContain(sealed)
    const words = reasoning[0]?.type === 'reasoning' ? reasoning[0].text : ''
    const [kept] = await store.read('a', { seqs: [2] })
    const thought = { type: 'reasoning', text: `${words}\n[redacted]`.trim() }
    expect(kept).toMatchObject({ message: { content: [thought, { type: 'tool-call' }] } })

    // The step is whole for its provider: no reasoning, and no id that needs it.
    const again = await openSession({ store, id: 'a', window: { context: 100_000 } })
    for (const messages of [session.messages(), again.messages()]) {
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
      const said = JSON.stringify(messages)
      for (const gone of [sealed, secret, 'reasoning', 'itemId']) expect(said).not.toContain(gone)
      expect(messages[1]).toMatchObject({ content: [{ type: 'tool-call', toolCallId: 'c1' }] })
    }
  },
)

it('a call of Gemini keeps what stands for a seal that was removed, and other words stay as they are', async () => {
  using store = sqliteStore({ file: join(root, 'gemini.db') })
  const session = await openSession({ store, id: 'a', window: { context: 100_000 } })
  await session.append(placed(human(`The key is ${secret}.`), 0))
  const google = { thoughtSignature: sealed }
  await session.append({
    kind: 'message',
    at: 1,
    origin: 'model',
    finish: 'tool-calls',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I list.', providerOptions: { google } },
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'ls',
          input: {},
          providerOptions: { google },
        },
      ],
    },
  })
  expect(await session.redact({ text: secret })).toMatchObject({ reasoning: [2] })
  const [, answer] = session.messages()
  expect(JSON.stringify(answer)).not.toContain(sealed)
  expect(answer?.content).toMatchObject([
    { type: 'text', text: 'I list.' },
    {
      type: 'tool-call',
      providerOptions: { google: { thoughtSignature: 'skip_thought_signature_validator' } },
    },
  ])
  // Once is enough: nothing is sealed any more.
  expect(await session.redact({ text: 'I list.' })).toMatchObject({ reasoning: [] })
})

it('what a client noted of a sealed compaction goes as well', async () => {
  using store = sqliteStore({ file: join(root, 'noted.db') })
  await store.append('a', [
    placed(human(`The key is ${secret}.`), 0),
    {
      kind: 'checkpoint',
      at: 1,
      base: 1,
      summary: 'It cannot be read.',
      summarizer: 'codex',
      tail: [],
      continuation: null,
      metadata: { codex: { encryptedContent: sealed } },
    },
  ])
  const session = await openSession({ store, id: 'a', window: { context: 100_000 } })
  expect(await session.redact({ text: secret })).toMatchObject({ reasoning: [2] })
  expect(JSON.stringify(await store.read('a'))).not.toContain(sealed)
})

it('of a message whose provider sealed something beside its words, the rest stays', async () => {
  using store = sqliteStore({ file: join(root, 'beside.db') })
  const session = await openSession({ store, id: 'a', window: { context: 100_000 } })
  await session.append(placed(human(`The key is ${secret}.`), 0))
  const google = { thoughtSignature: sealed }
  await session.append({
    kind: 'message',
    at: 1,
    origin: 'model',
    finish: 'stop',
    message: {
      role: 'assistant',
      content: [
        {
          type: 'reasoning-file',
          data: 'aaaa',
          mediaType: 'image/png',
          providerOptions: { google },
        },
        { type: 'text', text: 'Done.' },
      ],
      providerOptions: { google: { ...google, groundedIn: 'docs' }, ours: { shown: true } },
    },
  })
  expect(await session.redact({ text: secret })).toMatchObject({ reasoning: [2] })
  const [, said] = await store.read('a')
  expect(said).toMatchObject({
    message: {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '[redacted]' },
        { type: 'text', text: 'Done.' },
      ],
      providerOptions: { google: { groundedIn: 'docs' }, ours: { shown: true } },
    },
  })
  expect(JSON.stringify(said)).not.toContain(sealed)
})
