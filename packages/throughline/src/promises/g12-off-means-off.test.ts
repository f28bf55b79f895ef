import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { OverflowError } from '../session/errors.ts'
import { run } from '../session/loop/loop.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, human } from '../testing/generate/build.ts'
import { drive } from '../testing/generate/drive.ts'
import { scriptedSummarizer } from '../testing/scripted/scripted-summarizer.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'
import type { SessionEvent } from '../session/events.ts'

const off = { ...defaultPolicy, auto: false }

describe('G12: off means off', () => {
  it('the gate never compacts', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { session, error } = await drive(drafts, { window: { context }, policy: off })
        expect(error).toBeUndefined()
        expect(await session.log()).toHaveLength(drafts.length)
        expect((await session.recover()).action).toBe('none')
        expect(await session.log()).toHaveLength(drafts.length)
      }),
      runs(30),
    )
  })

  it("a provider's overflow error is handed on, with what to do", async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 200_000 },
      policy: off,
    })
    await session.say('hello')
    const overflow = Object.assign(
      new Error('prompt is too long: 208310 tokens > 200000 maximum'),
      { statusCode: 400 },
    )
    const failed = run({ session, step: async () => Promise.reject(overflow) })
    await expect(failed).rejects.toBeInstanceOf(OverflowError)
    await expect(failed).rejects.toThrow(/turn automatic compaction on/)
    expect(await session.log()).toHaveLength(1)
  })

  it('no summary is prepared', async () => {
    const filled = async (auto: boolean, onEvent: (event: SessionEvent) => void) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 32_000 },
        policy: { ...defaultPolicy, auto },
        summarizer: scriptedSummarizer('good'),
        onEvent,
      })
      await session.say('look')
      while (session.measure().tokens < session.budget().usable * 0.8) {
        await session.append(assistant('word '.repeat(300)))
      }
      return session
    }
    const seen: string[] = []
    const off = await filled(false, ({ type }) => seen.push(type))
    await off.fit()
    // The same with it on comes later, and is waited for.
    const prepared = new Promise<void>((resolve) => {
      const heard = ({ type }: SessionEvent): void => {
        if (type === 'preparation-finished') resolve()
      }
      void filled(true, heard).then((on) => on.fit())
    })
    await prepared
    expect(seen.filter((type) => type.startsWith('preparation'))).toEqual([])
  })

  it('a compaction that is asked for still happens', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 200_000 },
      policy: off,
    })
    await session.append(
      human('one'),
      {
        kind: 'message',
        at: 0,
        origin: 'model',
        finish: 'stop',
        message: { role: 'assistant', content: 'words '.repeat(20_000) },
      },
      human('two'),
    )
    expect((await session.compact()).action).toBe('summary')
  })
})
