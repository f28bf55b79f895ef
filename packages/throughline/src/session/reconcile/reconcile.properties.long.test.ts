import fc from 'fast-check'
import { expect, test } from 'vitest'
import { call, result } from '../../testing/generate/build.ts'
import { differenceOf } from '../../testing/conformance/same-data.ts'
import { illegalities } from '../../testing/legal.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type Session } from '../session.ts'
import { reconcile } from './reconcile.ts'
import { runs } from '../../testing/generate/runs.ts'
import type { Message } from '../../log/message.ts'

/** What a host does with its array between two requests. Shares are of its length. */
type Move =
  | { does: 'ask' }
  | { does: 'step'; calls: number; size: number }
  | { does: 'answer' }
  | { does: 'copy' }
  | { does: 'go back'; share: number }
  | { does: 'edit'; share: number }
  | { does: 'remove'; share: number }
  /** It takes what the session renders in place of its own array. */
  | { does: 'adopt' }
  | { does: 'compact' }
  | { does: 'overflow' }
  | { does: 'reopen' }
  | { does: 'begin anew' }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const growing = [
  { weight: 3, arbitrary: fc.constant<Move>({ does: 'ask' }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('step' as const),
      calls: fc.integer({ min: 1, max: 3 }),
      size: fc.constantFrom(1, 40, 400),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Move>({ does: 'answer' }) },
  { weight: 2, arbitrary: fc.constant<Move>({ does: 'copy' }) },
  { weight: 3, arbitrary: fc.constant<Move>({ does: 'compact' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ does: 'overflow' }) },
  { weight: 2, arbitrary: fc.constant<Move>({ does: 'reopen' }) },
]
const changing = [
  { weight: 2, arbitrary: fc.record({ does: fc.constant('go back' as const), share }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('edit' as const), share }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), share }) },
  { weight: 1, arbitrary: fc.constant<Move>({ does: 'begin anew' }) },
]
const adopting = [{ weight: 4, arbitrary: fc.constant<Move>({ does: 'adopt' }) }]

function moves(
  ...kinds: { weight: number; arbitrary: fc.Arbitrary<Move> }[]
): fc.Arbitrary<Move[]> {
  return fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 25 })
}

/** A host and the session that it is reconciled with. */
class Host {
  array: Message[] = []
  /** All that was ever said, in order. */
  readonly said: Message[] = []
  readonly store = memoryStore()
  session: Session | undefined
  #count = 0

  async move(move: Move): Promise<void> {
    const session = await this.#session()
    switch (move.does) {
      case 'ask':
        return this.#say({ role: 'user', content: `question ${++this.#count}` })
      case 'answer':
        return this.#say({ role: 'assistant', content: `answer ${++this.#count}` })
      case 'step':
        return this.#step(move.calls, move.size)
      case 'copy':
        this.array = JSON.parse(JSON.stringify(this.array))
        return
      case 'go back':
        this.array = this.array.slice(0, this.#boundary(move.share))
        return
      case 'remove': {
        const at = this.#boundary(move.share)
        const next = this.#boundaries().find((boundary) => boundary > at) ?? at
        this.array = this.array.toSpliced(at, next - at)
        return
      }
      case 'edit':
        return this.#edit(move.share)
      case 'adopt':
        this.array = session.messages()
        return
      case 'compact':
        await session.compact()
        return
      case 'overflow':
        await session.recover()
        return
      case 'reopen':
        this.session = undefined
        return
      case 'begin anew':
        this.array = []
        this.#say({ role: 'user', content: `another conversation ${++this.#count}` })
    }
  }

  async reconcile(): Promise<Session> {
    const session = await this.#session()
    await reconcile(session, this.array)
    return session
  }

  async #session(): Promise<Session> {
    this.session ??= await openSession({
      store: this.store,
      id: 'a',
      window: { context: 8_000 },
      now: () => 0,
    })
    return this.session
  }

  #say(...messages: Message[]): void {
    this.array = [...this.array, ...messages]
    this.said.push(...messages)
  }

  #step(calls: number, size: number): void {
    const ids = Array.from({ length: calls }, () => `call-${++this.#count}`)
    const text = (id: string): string => `${id} gave a line of output\n`.repeat(size)
    this.#say(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `step ${ids.join(' ')}` },
          ...ids.map((id) => call(id, 'read', { path: `src/${id}.ts` })),
        ],
      },
      { role: 'tool', content: ids.map((id) => result(id, 'read', text(id))) },
    )
  }

  #edit(share: number): void {
    const at = this.#boundary(share)
    const message = this.array[at]
    if (message?.role !== 'user') return
    const edited: Message = { role: 'user', content: `edited question ${++this.#count}` }
    this.array = this.array.with(at, edited)
    this.said.push(edited)
  }

  /** Places between steps. */
  #boundaries(): number[] {
    return this.array.flatMap(({ role }, index) => (role === 'tool' ? [] : [index]))
  }

  #boundary(share: number): number {
    const boundaries = this.#boundaries()
    return boundaries[Math.floor(share * boundaries.length)] ?? this.array.length
  }
}

async function historyOf(session: Session): Promise<Message[]> {
  return (await session.history()).map(({ message }) => message)
}

test('the log says what a host says that keeps its own history, each message once', async () => {
  await fc.assert(
    fc.asyncProperty(moves(...growing, ...changing), async (moves) => {
      const host = new Host()
      for (const move of moves) {
        await host.move(move)
        if (move.does === 'compact' || move.does === 'overflow' || move.does === 'reopen') continue
        const session = await host.reconcile()
        expect(differenceOf(await historyOf(session), host.array)).toBeUndefined()
        expect(illegalities(session.messages())).toEqual([])
      }
    }),
    runs(100),
  )
})

test('the log says what a host says that takes what we render, each message once', async () => {
  await fc.assert(
    fc.asyncProperty(moves(...growing, ...adopting), async (moves) => {
      const host = new Host()
      for (const move of moves) {
        await host.move(move)
        if (move.does === 'compact' || move.does === 'overflow' || move.does === 'reopen') continue
        const session = await host.reconcile()
        expect(differenceOf(await historyOf(session), host.said)).toBeUndefined()
        expect(illegalities(session.messages())).toEqual([])
      }
    }),
    runs(100),
  )
})

test('whatever a host does to what we rendered: what it says stands once, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(moves(...growing, ...adopting, ...changing), async (moves) => {
      const host = new Host()
      let before: string[] = []
      for (const move of moves) {
        await host.move(move)
        const session = await host.reconcile()
        const history = (await historyOf(session)).map((message) => JSON.stringify(message))
        expect(new Set(history).size).toBe(history.length)
        for (const message of host.array) {
          if (!host.said.some((one) => differenceOf(one, message) === undefined)) continue
          expect(history).toContain(JSON.stringify(message))
        }
        expect(history.filter((text) => text.includes('prior-conversation-summary'))).toEqual([])
        expect(illegalities(session.messages())).toEqual([])
        const log = (await session.log()).map((entry) => JSON.stringify(entry))
        expect(log.slice(0, before.length)).toEqual(before)
        before = log
        const again = await reconcile(session, host.array)
        expect(again).toEqual({ appended: [] })
      }
    }),
    runs(100),
  )
})
