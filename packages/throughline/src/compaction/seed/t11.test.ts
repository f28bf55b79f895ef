import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { contextOf } from '../../log/context/context.ts'
import { historyOf } from '../../log/history.ts'
import { unitsOf } from '../../log/steps.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import { presets } from '../presets.ts'
import type { Continuation, EntryDraft } from '../../log/entry.ts'
import type { UserPart } from '../../log/message.ts'

const image: UserPart = { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' }

const seedContinuation = (...drafts: (EntryDraft | EntryDraft[])[]): Continuation | null =>
  presets.seed.continuation(unitsOf(contextOf(logFrom(drafts)).items))

describe('T11, branch 1: a message with media', () => {
  it('becomes its text', () => {
    const continuation = seedContinuation(human([{ type: 'text', text: 'what is this?' }, image]))
    expect(continuation?.message.content).toBe('[Continuing from compaction] what is this?')
    expect(continuation?.metadata).toEqual({ compaction_continue: true, had_media: true })
  })

  it('leaves one space where the image stood', () => {
    const continuation = seedContinuation(
      human([{ type: 'text', text: 'is this' }, image, { type: 'text', text: 'a cat?' }]),
    )
    expect(continuation?.message.content).toBe('[Continuing from compaction] is this a cat?')
  })

  it('becomes a remark if it has no text', () => {
    expect(seedContinuation(human([image]))?.message.content).toBe(
      '[Continuing task — previous message contained media attachments]',
    )
  })

  it('comes before answered, as the seed has it', () => {
    const continuation = seedContinuation(human([image]), assistant('a cat'))
    expect(continuation?.metadata.had_media).toBe(true)
  })
})

describe('T11, branch 2: an unanswered message', () => {
  it('is said again, word for word', () => {
    const continuation = seedContinuation(human('one'), assistant('1'), human('check file X'))
    expect(continuation).toEqual({
      kind: 'unanswered',
      message: { role: 'user', content: 'check file X' },
      metadata: { compaction_continue: true },
    })
  })

  it('may be the continuation of an earlier compaction, with its own metadata', () => {
    const earlier = (...later: EntryDraft[]): Continuation | null =>
      seedContinuation(
        human('go'),
        {
          kind: 'checkpoint',
          at: 0,
          base: 1,
          summary: 'said',
          summarizer: 'local',
          tail: [],
          continuation: {
            kind: 'unanswered',
            message: { role: 'user', content: 'go' },
            metadata: { from: 'phone', compaction_continue: true },
          },
          metadata: {},
        },
        ...later,
      )
    expect(earlier()).toEqual({
      kind: 'unanswered',
      message: { role: 'user', content: 'go' },
      metadata: { from: 'phone', compaction_continue: true },
    })
    expect(earlier(assistant('gone'))?.kind).toBe('mid-task')
  })

  it('keeps its own metadata', () => {
    const continuation = seedContinuation(human('go', { metadata: { from: 'phone' } }))
    expect(continuation?.metadata).toEqual({ from: 'phone', compaction_continue: true })
  })
})

describe('T11, branch 3: in the middle of a task', () => {
  it('is a synthetic continue', () => {
    const continuation = seedContinuation(human('go'), step('a', 'read', {}, 'x'))
    expect(continuation).toEqual({
      kind: 'mid-task',
      message: { role: 'user', content: 'continue' },
      metadata: { compaction_continue: true },
    })
  })

  it('is also for a session without a user', () => {
    expect(seedContinuation(assistant('hello'))?.kind).toBe('mid-task')
  })
})

describe('T11, failure modes', () => {
  const log = logFrom(
    Array.from({ length: 40 }, (_, index) => [
      human(`request ${index} ${'word '.repeat(400)}`),
      assistant([call(`c${index}`, 'read')]),
      tool(result(`c${index}`, 'read', 'line of text\n'.repeat(200))),
    ]),
  )
  const options = { window: { context: 60_000 }, policy: presets.seed }

  it('FM-1: a continuation is inside the checkpoint', async () => {
    const { messages } = await compactLog(log, options)
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'continue' })
  })

  it('FM-2: media are not sent again', async () => {
    const withImage = logFrom([log, human([{ type: 'text', text: 'see' }, image])])
    const { messages } = await compactLog(withImage, options)
    expect(messages.at(-1)?.content).toBe('[Continuing from compaction] see')
  })

  it('FM-3: the user never sees it', async () => {
    const { log: grown } = await compactLog(log, options)
    expect(JSON.stringify(historyOf(grown).entries)).not.toContain('"continue"')
  })
})
