import { join } from 'node:path'
import { expect, it } from 'vitest'
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
