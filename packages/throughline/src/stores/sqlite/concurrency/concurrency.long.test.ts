import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../../../session/session.ts'
import { full } from '../../../testing/generate/runs.ts'
import { recordFigure } from '../../../testing/record-figure.ts'
import { illegalities } from '../../../testing/legal.ts'
import { scratchFolder } from '../testing/scratch.ts'
import { linearise } from './linearise.ts'
import { Processes } from './processes.ts'
import type { Selection, Store } from '../../../session/store.ts'
import { storeAt, type Command, type Place } from './do-command.ts'
import type { Done } from './store-process.ts'

const count = 8
const folder = scratchFolder()
let files = 0
let processes: Processes

beforeAll(() => {
  processes = new Processes(count)
})
afterAll(() => processes.stop())

const session = fc.constantFrom('a', 'b')
const text = fc.constantFrom(
  'an apple',
  'a green apple',
  'the pear: secret-0123',
  'Never push.',
  '',
)
const share = fc.double({ min: 0, max: 1, noNaN: true })
const seq = fc.integer({ min: -1, max: 120 })

const selection: fc.Arbitrary<Selection> = fc.record(
  {
    after: seq,
    upTo: seq,
    newest: fc.nat(20),
    seqs: fc.array(seq, { maxLength: 5 }),
    kinds: fc.subarray(['message', 'checkpoint', 'pin', 'unpin', 'rewind', 'observation'] as const),
  },
  { requiredKeys: [] },
)

function only<Does extends Command['does']>(...names: Does[]): fc.Arbitrary<Does> {
  return fc.constantFrom(...names)
}

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: only('append'),
      session,
      texts: fc.array(text, { maxLength: 4 }),
      condition: fc.constantFrom('nothing', 'newest', 'an older one', 'to hold the first'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: only('read'), session, selection }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: only('search'),
      session,
      search: fc.record({
        phrases: fc.constantFrom(
          [['apple']],
          [['pear'], ['green', 'app']],
          [['secret']],
          [['oran']],
        ),
        match: fc.constantFrom('all', 'any'),
        limit: fc.constant(100_000),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: only('list') }) },
  { weight: 1, arbitrary: fc.record({ does: only('fork'), session }) },
  { weight: 3, arbitrary: fc.record({ does: only('say'), session, text }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: only('step'),
      session,
      name: fc.stringMatching(/^[a-z]{8}$/),
      lines: fc.nat(150),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: only('sync', 'fit', 'compact', 'undo', 'unpin'), session }),
  },
  { weight: 1, arbitrary: fc.record({ does: only('pin'), session, text }) },
  { weight: 1, arbitrary: fc.record({ does: only('rewind', 'redact entry'), session, share }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: only('redact text'),
      session,
      text: fc.constantFrom('secret-0123', 'green apple'),
    }),
  },
)

/** What may come of commands that others have made impossible. */
const refusals = new Set([
  'append: STORE_CONFLICT',
  'compact: STORE_CONFLICT',
  'undo: NOTHING_TO_UNDO',
  'unpin: PIN_NOT_FOUND',
  'redact entry: REF_NOT_FOUND',
  'fork: SESSION_NOT_FOUND',
])

async function together(place: Place, lists: readonly (readonly Command[])[]): Promise<Done[]> {
  const done = await processes.run(lists.map((commands) => ({ ...place, commands })))
  expect(refusedOf(done.flat()).filter((code) => !refusals.has(code))).toEqual([])
  return done.flat()
}

function refusedOf(done: readonly Done[]): string[] {
  return done.flatMap(({ command, refused }) => (refused ? [`${command.does}: ${refused}`] : []))
}

function everyone(...commands: Command[]): Command[][] {
  return Array.from({ length: count }, () => commands)
}

async function contextIn(store: Store, id: string): Promise<string> {
  const session = await openSession({ store, id, window: { context: 6_000 } })
  const messages = session.messages()
  expect(illegalities(messages)).toEqual([])
  return JSON.stringify(messages)
}

/** Nothing of a text stands before the note that it was redacted. */
async function expectRedacted(store: Store, { command, calls }: Done): Promise<void> {
  if (command.does !== 'redact text') return
  for (const call of calls) {
    if (call.method !== 'redact' || !call.answer) continue
    const before = await store.read(call.session, { upTo: call.answer.seq })
    expect(JSON.stringify(before)).not.toContain(command.text)
  }
}

describe.each(['SQLite', 'JSON lines'] as const)(
  `${count} processes on one store of %s`,
  (kind) => {
    test('get answers as if one came after the other', { timeout: 3_600_000 }, async () => {
      const length = full ? 125 : 50
      const list = fc.array(command, { minLength: length, maxLength: length })
      await fc.assert(
        fc.asyncProperty(fc.array(list, { minLength: count, maxLength: count }), async (lists) => {
          const place = { kind, path: join(folder, `${files++}.db`) }
          const done = await together(place, lists)
          const model = await linearise(done.flatMap(({ calls }) => calls))
          using store = storeAt(place)
          for (const each of done) await expectRedacted(store, each)
          for (const id of ['a', 'b']) {
            expect(JSON.stringify(await store.read(id))).toBe(JSON.stringify(await model.read(id)))
            expect(await contextIn(store, id)).toBe(await contextIn(model, id))
          }
          recordFigure({ what: 'linearized histories', count: 1 })
          recordFigure({ what: 'linearized operations', count: done.length })
        }),
        // Nothing comes in the same order twice: a smaller case would be another one.
        { numRuns: full ? 10 : 2, endOnFailure: true },
      )
    })

    test.each(['fit', 'recover'] as const)(
      'that overflow at the same time commit one compaction (%s)',
      async (gate) => {
        const place = { kind, path: join(folder, `${kind}-${gate}.db`) }
        using store = storeAt(place)
        const say: Command = { does: 'say', session: 'a', text: 'go on' }
        const steps = Array.from({ length: 8 }, (_, n): Command => {
          return { does: 'step', session: 'a', name: `file-${n}`, lines: 150 }
        })
        for (let round = 1; round <= (full ? 20 : 3); round++) {
          await together(place, [[say, ...steps]])
          await together(place, everyone({ does: 'sync', session: 'a' }))
          const done = await together(place, everyone({ does: gate, session: 'a' }, say))
          expect(refusedOf(done)).toEqual([])
          const kinds = ['checkpoint', 'prune'] as const
          expect(await store.read('a', { kinds })).toHaveLength(round)
        }
      },
    )
  },
)
