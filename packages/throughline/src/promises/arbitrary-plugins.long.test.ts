import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompactionVetoedError, ContextFloorError } from '../compaction/errors.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { coreHeadings } from '../facts/summary/sections/core-sections.ts'
import { messageText } from '../log/message.ts'
import { illegalities } from '../testing/legal.ts'
import { drive } from '../testing/generate/drive.ts'
import { arbitraryPlugin } from '../testing/generate/plugin.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitrarySummarizer } from '../testing/generate/summarizer.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'

const anything = [
  arbitrarySession({ maxSteps: 40 }),
  arbitraryWindow,
  arbitrarySummarizer,
  fc.array(arbitraryPlugin, { minLength: 1, maxLength: 3 }),
] as const

describe('plugins that answer anything at all break no promise', () => {
  it('G2, G3: every request fits, or an error says why; and each compaction is bounded', async () => {
    await fc.assert(
      fc.asyncProperty(...anything, async (drafts, context, summarizer, plugins) => {
        const options = { window: { context }, summarizer, plugins }
        const { requests, error } = await drive(drafts, options)
        for (const { tokens, usable, report } of requests) {
          expect(tokens).toBeLessThanOrEqual(usable)
          expect(report.attempts.length).toBeLessThanOrEqual(defaultPolicy.attempts)
          if (report.action !== 'none') expect(report.after).toBeLessThan(report.before)
        }
        if (error === undefined || error instanceof CompactionVetoedError) return
        expect(error).toBeInstanceOf(ContextFloorError)
      }),
      runs(40),
    )
  })

  it('G4, G5: every context is legal, and what was compacted is not compacted again at once', async () => {
    await fc.assert(
      fc.asyncProperty(...anything, async (drafts, context, summarizer, plugins) => {
        const options = { window: { context }, summarizer, plugins }
        const { session, requests, error } = await drive(drafts, options)
        for (const { messages } of requests) expect(illegalities(messages)).toEqual([])
        if (error !== undefined) return
        try {
          await session.fit()
        } catch {
          return
        }
        expect((await session.fit()).action).toBe('none')
      }),
      runs(40),
    )
  })

  it('G6: no summary is committed that was not checked, and its human stays as it was', async () => {
    await fc.assert(
      fc.asyncProperty(...anything, async (drafts, context, summarizer, plugins) => {
        const options = { window: { context }, summarizer, plugins }
        const { session } = await drive(drafts, options)
        for (const entry of await session.log()) {
          if (entry.kind !== 'checkpoint' || entry.metadata['rung'] === undefined) continue
          for (const heading of coreHeadings) expect(entry.summary).toContain(`## ${heading}`)
          expect(entry.summary).not.toContain('far too long '.repeat(20_000))
          expect(entry.continuation?.metadata.compaction_continue ?? true).toBe(true)
        }
      }),
      runs(40),
    )
  })

  it('G7: rules and the latest request stand word for word behind every summary', async () => {
    await fc.assert(
      fc.asyncProperty(...anything, async (drafts, context, summarizer, plugins) => {
        const options = { window: { context }, summarizer, plugins }
        const { session } = await drive(drafts, options)
        // What another harness compacted is as that left it.
        if (session.context().checkpoint?.metadata['rung'] === undefined) return
        const seen = session.messages().map(messageText).join('\n')
        const { rules, requests } = await session.facts()
        for (const { text, retractedBy } of rules) {
          if (retractedBy === undefined) expect(seen).toContain(text.toWellFormed())
        }
        const latest = requests.at(-1)
        if (latest) expect(seen).toContain(latest.text.toWellFormed())
      }),
      runs(40),
    )
  })

  it('G12: where compaction is off they are not even asked', async () => {
    await fc.assert(
      fc.asyncProperty(...anything, async (drafts, context, summarizer, plugins) => {
        const policy = { ...defaultPolicy, auto: false }
        const options = { window: { context }, summarizer, plugins, policy }
        const { session, error } = await drive(drafts, options)
        expect(error).toBeUndefined()
        expect(await session.log()).toHaveLength(drafts.length)
        expect(plugins.map(({ asked }) => asked)).toEqual(plugins.map(() => 0))
      }),
      runs(20),
    )
  })
})
