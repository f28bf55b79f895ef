import { describe, expect, it } from 'vitest'
import { messageText } from '../log/message-text.ts'
import { openSession, type Session } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, human, step } from '../testing/generate/build.ts'
import type { EntryDraft } from '../log/entry.ts'

const work: EntryDraft[] = Array.from({ length: 30 }, (_, n) =>
  step(`c${n}`, 'Read', { file_path: `f${n}.ts` }, `line of ${n}\n`.repeat(150)),
).flat()

const visible = (session: Session): string => session.messages().map(messageText).join('\n')

async function compacted(...drafts: EntryDraft[]): Promise<Session> {
  const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 16_000 } })
  await session.append(...drafts)
  expect((await session.compact()).action).toBe('summary')
  return session
}

describe('G13: what was just given stays', () => {
  it('the newest call stands with a fair part of its result, however large that is', async () => {
    const lines = Array.from({ length: 4_000 }, (_, n) => `line ${n} of the log`).join('\n')
    const session = await compacted(
      human('go'),
      ...work,
      ...step('last', 'Bash', { command: 'npm test' }, lines),
    )
    const shown = JSON.stringify(session.messages())
    expect(shown).toContain('"toolCallId":"last"')
    expect(shown).toContain('line 0 of the log')
    expect(shown).toContain('line 3999 of the log')
  })

  it('the newest request stands with its words, and a line for each medium that had to go', async () => {
    const image = 'aaaa'.repeat(500_000)
    const session = await compacted(
      human('go'),
      ...work,
      assistant('Done.'),
      human([
        { type: 'text', text: 'Make the button look like this.' },
        { type: 'image', image, mediaType: 'image/png' },
      ]),
    )
    const last = session.messages().at(-1)
    expect(last?.role).toBe('user')
    expect(last && messageText(last)).toContain('Make the button look like this.')
    expect(JSON.stringify(last)).toMatch(/Attached image\/png|"type":"image"/)
  })

  it('what was left out between two kept parts is told', async () => {
    const session = await compacted(human('first'), ...work, human('second'), ...work)
    expect(visible(session)).toContain('second')
    expect(visible(session)).toMatch(/\[[^\]\n]*(?:left out|steps)[^\]\n]*\]/)
  })
})
