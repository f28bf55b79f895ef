import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy, type Policy } from '../compaction/policy.ts'
import { partsOf } from '../log/message.ts'
import type { EntryDraft } from '../log/entry.ts'
import { RefNotFoundError } from '../log/ref.ts'
import { NothingToUndoError } from '../session/errors.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { human, step } from '../testing/generate/build.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'

const steps = (round: number): EntryDraft[] =>
  Array.from({ length: 6 }, (_, n) =>
    step(`c${round}-${n}`, 'Read', { file_path: `f${n}.ts` }, `line ${n} of ${round}\n`.repeat(80)),
  ).flat()

/** Old outputs are pruned wherever that makes room, also where a summary would cost less. */
const prunes: Policy = { ...defaultPolicy, pruneAlone: () => true }

const refs = /ref(?:=\\?"| )(\d+(?:\.\d+)?)/g

describe('G1: nothing is lost', () => {
  it('the log only grows, and every part that was ever said reads back', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { session } = await drive(drafts, { window: { context } })
        const said = (await session.log()).filter((entry) => entry.kind === 'message')
        expect(said.map(({ message }) => message)).toEqual(
          drafts
            .flatMap((draft) => (draft.kind === 'message' ? [draft.message] : []))
            .slice(0, said.length),
        )
        for (const { seq, message } of said) {
          expect(await session.read(`${seq}`)).toEqual(message)
          for (const [index, part] of partsOf(message).entries()) {
            expect(await session.read(`${seq}.${index}`)).toEqual(part)
          }
        }
      }),
      runs(30),
    )
  })

  it('every ref that stands in a context reads back', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { session, requests } = await drive(drafts, { window: { context } })
        for (const { messages } of requests) {
          for (const [, ref] of JSON.stringify(messages).matchAll(refs)) {
            await expect(session.read(ref ?? '')).resolves.toBeDefined()
          }
        }
      }),
      runs(30),
    )
  })

  it('undo restores the context as it was, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), async (drafts) => {
        const { session, error } = await drive(drafts, { window: { context: 1_000_000 } })
        if (error !== undefined) return
        const before = JSON.stringify(session.context().items)
        const report = await session.compact()
        if (report.action === 'none') return
        expect(JSON.stringify(session.context().items)).not.toBe(before)
        await session.undo()
        expect(JSON.stringify(session.context().items)).toBe(before)
      }),
      runs(40),
    )
  })

  it('undo after undo takes back one compaction after the other', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
    })
    const before: string[] = []
    for (let round = 0; round < 12; round++) {
      await session.append(human(`Request ${round}`), ...steps(round))
      before.push(JSON.stringify(session.messages()))
      expect((await session.compact()).action).toBe('summary')
    }
    const history = JSON.stringify(await session.history())
    await session.undo()
    expect(JSON.stringify(session.messages())).toBe(before.at(-1))
    for (let round = 0; round < 11; round++) await session.undo()
    expect(session.messages()).toEqual(
      (await session.log()).flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])),
    )
    expect(JSON.stringify(await session.history())).toBe(history)
    await expect(session.undo()).rejects.toBeInstanceOf(NothingToUndoError)
  })

  it('undo takes back a pruning, and then the compaction before it', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 64_000 },
      policy: prunes,
    })
    await session.append(human('Request'), ...steps(0))
    const first = JSON.stringify(session.messages())
    await session.compact()
    for (let round = 1; session.measure().tokens < session.budget().threshold; round++) {
      await session.append(...steps(round))
    }
    const items = JSON.stringify(session.context().items)
    expect((await session.fit()).action).toBe('prune')
    await session.undo()
    expect(JSON.stringify(session.context().items)).toBe(items)
    await session.undo()
    expect(JSON.stringify(session.messages()).startsWith(first.slice(0, -1))).toBe(true)
    await expect(session.undo()).rejects.toBeInstanceOf(NothingToUndoError)
  })

  it('what was pruned reads back word for word, by the ref in its place', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 64_000 },
      policy: prunes,
    })
    await session.append(human('Request'))
    for (let round = 0; (await session.fit()).action !== 'prune'; round++) {
      await session.append(...steps(round))
    }
    const texts = new Set<string>()
    for (const [, ref] of JSON.stringify(session.messages()).matchAll(refs)) {
      const part = await session.read(ref ?? '')
      expect(part).toMatchObject({ type: 'tool-result', toolName: 'Read' })
      texts.add(JSON.stringify(part))
    }
    const said = (await session.log()).flatMap((entry) =>
      entry.kind === 'message' ? partsOf(entry.message).map((part) => JSON.stringify(part)) : [],
    )
    expect(texts.size).toBeGreaterThan(10)
    for (const text of texts) expect(said).toContain(text)
  })

  it('going back brings the pins, and the summary, of that time back', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
    })
    await session.append(human('Request'), ...steps(0))
    const pin = await session.pin('Friday.')
    await session.compact()
    const { seq, checkpoint, pins, unpinned } = session.context()
    const before = structuredClone({ checkpoint, pins, unpinned })
    await session.unpin(pin)
    await session.pin('Saturday.')
    await session.append(human('Another request'), ...steps(1))
    await session.compact()
    await session.rewind(seq)
    expect(session.context()).toMatchObject(before)
    await session.rewind(0)
    expect(session.context().pins.size).toBe(0)
    expect(session.context().checkpoint).toBeUndefined()
  })

  it('going back to what never was is refused, and the log stays readable', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    await session.say('hello')
    for (const to of [2, 99, -1, 0.5, NaN]) {
      await expect(session.rewind(to)).rejects.toBeInstanceOf(RefNotFoundError)
    }
    expect(session.messages()).toHaveLength(1)
  })
})
