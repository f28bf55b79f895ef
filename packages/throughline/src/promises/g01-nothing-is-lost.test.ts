import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../log/message.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'

const refs = /ref(?:="| )(\d+(?:\.\d+)?)/g

describe('G1: nothing is lost', () => {
  it('the log only grows, and every part that was ever said reads back', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { session } = await drive(drafts, { window: { context } })
        const said = session.log.filter((entry) => entry.kind === 'message')
        expect(said.map(({ message }) => message)).toEqual(
          drafts
            .flatMap((draft) => (draft.kind === 'message' ? [draft.message] : []))
            .slice(0, said.length),
        )
        for (const { seq, message } of said) {
          expect(session.read(`${seq}`)).toEqual(message)
          for (const [index, part] of partsOf(message).entries()) {
            expect(session.read(`${seq}.${index}`)).toEqual(part)
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
            expect(() => session.read(ref ?? '')).not.toThrow()
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
        if (report.action !== 'summary') return
        expect(JSON.stringify(session.context().items)).not.toBe(before)
        await session.undo()
        expect(JSON.stringify(session.context().items)).toBe(before)
      }),
      runs(40),
    )
  })
})
