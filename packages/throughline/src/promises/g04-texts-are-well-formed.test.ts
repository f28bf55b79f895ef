import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { writers } from '../formats/testing/writers.ts'
import { writtenSession } from '../formats/writing/written-session.ts'
import { wellFormed } from '../json/well-formed.ts'
import { contextOf } from '../log/context/context.ts'
import { changeStrings } from '../log/redaction/change-strings.ts'
import { chronological, modelOrder } from '../log/order.ts'
import { compactLog } from '../session/once/compact-log.ts'
import { openSession } from '../session/session.ts'
import { reconcile } from '../session/reconcile/reconcile.ts'
import { memoryStore } from '../stores/memory.ts'
import { scriptedSummarizer } from '../testing/scripted/scripted-summarizer.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { testIdentity } from '../testing/conformance/writer-conformance.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

const window = { context: 60_000 }

/** A session in which half of a character may stand at the end of any text, and alone. */
const torn = fc
  .tuple(arbitrarySession({ maxSteps: 20 }), fc.infiniteStream(fc.nat(2)))
  .map(([drafts, picks]) =>
    drafts.map((draft): EntryDraft => {
      if (draft.kind !== 'message') return draft
      return changeStrings(draft, (text) => {
        const pick: unknown = picks.next().value
        return pick === 0 ? `${text}\ud83d` : pick === 1 ? `\ude00${text}` : text
      })
    }),
  )

function logFrom(drafts: readonly EntryDraft[]): Chronological {
  return chronological(drafts.map((draft, index) => ({ ...draft, seq: index + 1 })))
}

/** Whether JSON of it holds no escape of half a character. */
function isWhole(value: unknown): boolean {
  return wellFormed(value) === value && !/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(JSON.stringify(value))
}

describe('half of a character, wherever a session holds it', () => {
  it('reaches no provider and no summarizer', async () => {
    await fc.assert(
      fc.asyncProperty(torn, async (drafts) => {
        const log = logFrom(drafts)
        const { items } = contextOf(log)
        expect(isWhole(renderContext(modelOrder([...items]), summaryAsUser).messages)).toBe(true)
        const asked: unknown[] = []
        const summarizer = scriptedSummarizer(({ head, previous, instruction }) => {
          asked.push({ head, previous, instruction })
          return { text: '## Goal\ntorn \ud83d', finish: 'stop' }
        })
        const { messages } = await compactLog(log, { window, trigger: 'manual', summarizer })
        expect(isWhole(messages)).toBe(true)
        expect(isWhole(asked)).toBe(true)
      }),
      runs(30),
    )
  })

  it('is written into no file', async () => {
    await fc.assert(
      fc.asyncProperty(torn, fc.constantFrom(...writers), async (drafts, { writer }) => {
        const { text } = writer.write(writtenSession(logFrom(drafts), {}), testIdentity())
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i)
      }),
      runs(30),
    )
  })

  it('stays in the log as it was, and a host that hands back what it got changes nothing', async () => {
    const store = memoryStore()
    const session = await openSession({ store, id: 'a', window })
    await reconcile(session, [{ role: 'user', content: 'torn \ud83d' }])
    expect(JSON.stringify(await store.read('a'))).toContain('torn \\ud83d')
    expect(session.messages()).toEqual([{ role: 'user', content: 'torn \ufffd' }])
    expect(await reconcile(session, session.messages())).toEqual({ appended: [] })
    expect(await reconcile(session, [{ role: 'user', content: 'torn \ud83d' }])).toEqual({
      appended: [],
    })
  })

  it('is not looked for twice: what is well-formed is the very same object', () => {
    const message = {
      role: 'user',
      content: [{ type: 'text', text: 'whole 😀' }],
      bytes: new Uint8Array(3),
    }
    expect(wellFormed(message)).toBe(message)
    const part = { type: 'text', text: 'whole' }
    const changed = wellFormed({ parts: [part, { '\ud83d': 'x' }] })
    expect(changed.parts[0]).toBe(part)
    expect(changed.parts[1]).toEqual({ '\ufffd': 'x' })
  })
})
