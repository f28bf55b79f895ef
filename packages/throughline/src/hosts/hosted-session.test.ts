import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { call, result } from '../testing/generate/build.ts'
import { memoryStore } from '../stores/memory.ts'
import { messageText } from '../log/message.ts'
import { openHosted, recordOf, type HostedSession } from './hosted-session.ts'
import { recall } from '../session/recall/recall.ts'
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts'
import type { EntryDraft, MessageDraft } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Store } from '../session/store.ts'

const origins = { user: 'human', assistant: 'model', tool: 'tool', system: 'harness' } as const

/** A message of a host, by the id of its record. */
function record(id: string, message: Message, fields: Partial<MessageDraft> = {}): EntryDraft {
  const metadata = { source: { records: [id] } }
  return { kind: 'message', at: 1, origin: origins[message.role], message, metadata, ...fields }
}

const long = 'word '.repeat(2_000)

function turn(number: number): EntryDraft[] {
  const id = `c${number}`
  return [
    record(`u${number}`, { role: 'user', content: `Request ${number}.` }),
    record(`a${number}`, { role: 'assistant', content: [call(id, 'read', { path: `${number}` })] }),
    record(`a${number}`, { role: 'tool', content: [result(id, 'read', `${number} ${long}`)] }),
    record(`b${number}`, { role: 'assistant', content: `Answer ${number}. ${long}` }),
  ]
}

function turns(count: number): EntryDraft[] {
  return Array.from({ length: count }, (_, index) => turn(index + 1)).flat()
}

function open(store: Store = memoryStore()): HostedSession {
  return openHosted({ store, id: 'ses_1', window: { context: 30_000 }, model: 'm' })
}

/** What the model would see, a text each; what the host has is shown by its record. */
function shown(hosted: HostedSession): string[] {
  const forms = {
    original: (item: object) => ({ text: recordOf(item) ?? '' }),
    say: (message: Message) => ({ text: messageText(message).slice(0, 28) }),
    replace: (native: { text: string }) => ({ text: `${native.text}, changed` }),
  }
  const known = new Map<string, { text: string }>()
  const original = (item: object) => {
    const native = forms.original(item)
    const same = known.get(native.text) ?? native
    known.set(native.text, same)
    return same
  }
  return hosted.view({ ...forms, original }).map(({ text }) => text)
}

describe('a session over a host', () => {
  test('shows the host its own objects, once each, where nothing was compacted', async () => {
    const hosted = open()
    await hosted.follow(turns(2))
    await hosted.follow(turns(2))
    expect(shown(hosted)).toEqual(['u1', 'a1', 'b1', 'u2', 'a2', 'b2'])
  })

  test('keeps what was added, and no word of the host’s, in the store', async () => {
    const store = sqliteStore({ file: ':memory:' })
    const first = open(store)
    await first.follow(turns(4))
    await first.session.compact()
    expect(JSON.stringify(await store.read('ses_1', { kinds: ['message'] }))).not.toContain('word')
    const again = open(store)
    await again.follow(turns(4))
    expect(shown(again)).toEqual(shown(first))
    expect(shown(again)[0]).toBe('<prior-conversation-summary>')
    expect(shown(again).length).toBeLessThan(12)
    expect(await again.session.log()).toEqual(await first.session.log())
    const { text } = await recall(again.store, 'ses_1', { words: 'Answer 1' })
    expect(text).toContain('Answer 1.')
  })

  test('takes back what the host has taken back, and keeps pins', async () => {
    const hosted = open()
    await hosted.follow(turns(3))
    await hosted.session.pin('Use tabs.')
    const other = record('u9', { role: 'user', content: 'Another way.' })
    await hosted.follow([...turns(2), other])
    expect(shown(hosted)).toEqual(['u1', 'a1', 'b1', 'u2', 'a2', 'b2', '[Pinned] Use tabs.', 'u9'])
  })

  test('does not lose a compaction when a part of a record comes and goes', async () => {
    const hosted = open()
    const [first, ...rest] = turns(4)
    const reminder = record('u1', { role: 'user', content: 'A reminder.' }, { origin: 'harness' })
    await hosted.follow([first as EntryDraft, reminder, ...rest])
    await hosted.session.compact()
    await hosted.follow(turns(4))
    expect(hosted.session.context().checkpoint).toBeDefined()
  })

  test('takes the host’s own compaction for one, unless it is ours', async () => {
    const host: EntryDraft = {
      kind: 'checkpoint',
      at: 2,
      base: 8,
      summary: 'Two requests were answered.',
      summarizer: 'host',
      tail: [{ type: 'entry', seq: 8 }],
      continuation: null,
      metadata: { source: { records: ['s1'] } },
    }
    const drafts = [...turns(2), host, record('u9', { role: 'user', content: 'More.' })]
    const hosted = open()
    // Something of ours stands in between: the host's numbers are not ours.
    await hosted.follow(turns(1))
    await hosted.session.pin('Use tabs.')
    await hosted.follow(drafts)
    expect(shown(hosted)).toEqual(['<prior-conversation-summary>', 'b2', 'u9'])
    const options = { store: memoryStore(), id: 'a', window: { context: 30_000 } }
    const ours = openHosted({ ...options, isOurs: ({ kind }) => kind === 'checkpoint' })
    await ours.follow(drafts)
    expect(ours.session.context().checkpoint).toBeUndefined()
  })

  test('counts what the host says of its next request, anew each time', async () => {
    const frame = { context: 30_000, system: 'Be brief.' }
    const { session } = openHosted({
      store: memoryStore(),
      id: 'ses_1',
      get window() {
        return { context: frame.context }
      },
      get system() {
        return frame.system
      },
    })
    const { system } = session.measure()
    Object.assign(frame, { context: 60_000, system: long })
    expect(session.window.context).toBe(60_000)
    expect(session.measure().system).toBeGreaterThan(system + 1_000)
  })

  test('believes usage in the answer to what it has shown, and no other', async () => {
    const usage = { inputTokens: 9_000, outputTokens: 10 }
    const answered = (count: number) => [
      ...turns(count),
      record('u9', { role: 'user', content: 'Next.' }),
      record('b9', { role: 'assistant', content: 'Done.' }, { usage, model: 'm' }),
    ]
    const store = memoryStore()
    const lost = open()
    // Nothing is known of the request that this answers: it may have been a compacted one.
    await lost.follow(answered(2))
    expect(lost.session.measure().source).toBe('estimate')

    const hosted = open(store)
    await hosted.follow(answered(2).slice(0, -1))
    shown(hosted)
    await hosted.follow(answered(2))
    expect(hosted.session.measure()).toMatchObject({ source: 'usage' })
    const restarted = open(store)
    await restarted.follow(answered(2))
    expect(restarted.session.measure()).toEqual(hosted.session.measure())

    await hosted.session.compact()
    expect(hosted.session.measure().source).toBe('estimate')
  })

  test('lets two processes follow the same host', async () => {
    const store = memoryStore()
    const [one, other] = [open(store), open(store)]
    await Promise.all([one.follow(turns(2)), other.follow(turns(2))])
    expect(shown(one)).toEqual(['u1', 'a1', 'b1', 'u2', 'a2', 'b2'])
    expect((await store.read('ses_1')).filter(({ kind }) => kind === 'message')).toHaveLength(8)
  })

  test('reads a message that the host no longer has as one line', async () => {
    const store = memoryStore()
    const first = open(store)
    await first.follow(turns(1))
    const second = open(store)
    expect(await second.session.read('1')).toMatchObject({
      content: '[The client no longer has this message.]',
    })
  })
})

describe('a host that is followed step by step', () => {
  test('has the log that it has where each step looks through the whole of it', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('host' as const), turns: fc.nat(4), other: fc.nat(2) }),
      fc.constantFrom({ kind: 'pin' as const }, { kind: 'compact' as const }),
      fc.record({ kind: fc.constant('elsewhere' as const), turns: fc.nat(4) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const [store, whole] = [memoryStore(), memoryStore()]
        const hosted = open(store)
        let last: EntryDraft[] = []
        for (const each of steps) {
          if (each.kind === 'host') {
            last = [...turns(each.turns), ...turns(9).slice(32 - 4 * each.other)]
          }
          // The other one was just opened, and knows nothing of the steps before.
          for (const [at, own] of [[hosted, store] as const, [open(whole), whole] as const]) {
            if (each.kind === 'elsewhere') await open(own).follow(turns(each.turns))
            else await at.follow(last)
            if (each.kind === 'pin') await at.session.pin('Use tabs.')
            if (each.kind === 'compact') await at.session.compact()
          }
        }
        const said = async (own: Store) =>
          (await own.read('ses_1')).map((entry) => ({ ...entry, at: 0, report: 0, id: 0 }))
        expect(await said(store)).toEqual(await said(whole))
      }),
      { numRuns: 60 },
    )
  })
})
