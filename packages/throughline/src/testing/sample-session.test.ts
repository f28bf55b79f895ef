import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { readSession, type SessionRead } from '../formats/reading/read-session.ts'
import { compactLog } from '../session/once/compact-log.ts'
import type { EntryDraft } from '../log/entry.ts'
import { chronological } from '../log/order.ts'
import { contextOf } from '../log/context/context.ts'
import { messageText } from '../log/message.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { drive } from './generate/drive.ts'
import { illegalities } from './legal.ts'

const path = fileURLToPath(new URL('../../../../examples/sample-session.jsonl', import.meta.url))

describe('the sample session', () => {
  let sample: SessionRead
  beforeAll(async () => {
    sample = await readSession(createReadStream(path))
  })

  test('is read whole, as the transcript that it looks like', () => {
    expect(sample).toMatchObject({ format: 'claude-code', skipped: [], skippedCount: 0 })
    expect(sample.facts).toMatchObject({ directory: '/home/dev/throughline' })
    expect(sample.facts).not.toHaveProperty('omitted')
    const { messages } = renderContext(contextOf(sample.log).items, summaryAsUser)
    expect(illegalities(messages)).toEqual([])
  })

  test('names no place on the machine that it was recorded on', () => {
    const text = sample.log.flatMap((entry) =>
      entry.kind === 'message' ? [messageText(entry.message), JSON.stringify(entry.message)] : [],
    )
    expect(text.join('\n')).not.toMatch(
      /throughline-sample-|\/home\/(?!dev\/throughline)|\/Users\/\w/,
    )
  })

  test('has to be compacted several times in a window of 32,000, never twice in a row', async () => {
    // What was recorded was counted in another window.
    const drafts = sample.log.map((entry): EntryDraft => {
      if (entry.kind !== 'message') return entry
      const { usage: _, ...draft } = entry
      return draft
    })
    const { requests, error } = await drive(drafts, { window: { context: 32_000 } })
    expect(error).toBeUndefined()
    const actions = requests.map(({ report }) => report.action)
    expect(actions.filter((action) => action !== 'none').length).toBeGreaterThan(3)
    expect(actions.join(' ')).not.toMatch(/(prune|summary) (prune|summary)/)
    for (const { tokens, usable } of requests) expect(tokens).toBeLessThan(usable)
  })

  test('keeps the rules that stand, and says which one was taken back', async () => {
    const log = chronological(sample.log)
    const { messages } = await compactLog(log, { window: { context: 32_000 }, trigger: 'manual' })
    const summary = messageText(messages[0] ?? { role: 'user', content: '' })
    expect(summary).toContain('Never push, and never commit')
    expect(summary).toContain('Use npm, not pnpm.')
    expect(summary).toMatch(/Taken back.*Leave AGENTS\.md alone/)
  })
})
