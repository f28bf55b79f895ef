import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, call, human, result, step } from '../testing/generate/build.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import type { EntryDraft } from '../log/entry.ts'

describe('G10: the user never sees "continue", the model does', () => {
  it('in the middle of a task it is the last thing that the model sees', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    await session.append(
      human('go'),
      ...Array.from({ length: 20 }, (_, n) =>
        step(`c${n}`, 'read', {}, 'text '.repeat(600)),
      ).flat(),
    )
    await session.compact()
    expect(session.messages().at(-1)).toEqual({ role: 'user', content: 'continue' })
    expect(session.context().checkpoint?.continuation?.metadata).toEqual({
      compaction_continue: true,
    })
    expect((await session.history()).every(({ message }) => message.content !== 'continue')).toBe(
      true,
    )
  })

  it('nothing that the engine or another harness made up stands in the history', async () => {
    const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
    const closing = result('a', 'Read', '[No result: the call was aborted.]')
    const synthetic: EntryDraft = {
      kind: 'message',
      at: 0,
      origin: 'synthetic',
      message: { role: 'tool', content: [closing] },
    }
    await session.append(
      human('go'),
      assistant([call('a', 'Read')]),
      synthetic,
      {
        kind: 'message',
        at: 0,
        origin: 'harness',
        message: { role: 'user', content: 'Continue if you have next steps.' },
        metadata: { compaction_continue: true },
      },
      assistant('done'),
    )
    expect((await session.history()).map(({ seq }) => seq)).toEqual([1, 2, 5])
    expect(session.messages()).toHaveLength(5)
  })

  it('the history is what was said, whatever was compacted', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        fc.integer({ min: 4_000, max: 32_000 }),
        async (drafts, context) => {
          const { session } = await drive(drafts, { window: { context } })
          const said = (await session.log()).filter(({ kind }) => kind === 'message')
          expect(await session.history()).toEqual(said)
        },
      ),
      runs(30),
    )
  })
})
