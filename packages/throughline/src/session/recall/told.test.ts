import { modelTokens } from '../../tokens/units.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { presets } from '../../compaction/presets.ts'
import { floorOf } from '../../compaction/plan/floor.ts'
import { emptyFacts } from '../../facts/facts-of.ts'
import { emptyContext } from '../../log/context/context.ts'
import { messageText } from '../../log/message.ts'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, human, step } from '../../testing/generate/build.ts'
import { drive } from '../../testing/generate/drive.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { arbitraryWindow } from '../../testing/generate/window.ts'
import { logOf } from '../once/log-of-messages.ts'
import { openSession, type Session } from '../session.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Policy } from '../../compaction/policy.ts'
import { plainCounter } from '../../testing/plain-counter.ts'

const policy: Policy = { ...defaultPolicy, recallTool: 'recall', pruneAlone: () => true }
const output = Array.from({ length: 400 }, (_, line) => `line ${line} of the output`).join('\n')

/** Reads so many files at one request, and ends. */
function reading(files: number): EntryDraft[] {
  const steps = Array.from({ length: files }, (_, file) =>
    step(`c${file}`, 'Read', { path: `src/${file}.ts` }, `${file}\n${output}`),
  )
  return [human('Read all of it. Never push to main.'), ...steps.flat(), assistant('Read.')]
}

async function sessionOf(drafts: readonly EntryDraft[], policy: Policy): Promise<Session> {
  const window = { context: 40_000 }
  const session = await openSession({ store: memoryStore(), id: 'a', window, policy })
  await session.append(...drafts)
  return session
}

function textOf(session: Session): string {
  return session.messages().map(messageText).join('\n')
}

describe('a model that can read back', () => {
  test('is told so in every placeholder', async () => {
    const session = await sessionOf(reading(12), policy)
    expect((await session.fit()).action).toBe('prune')
    const placeholders = textOf(session).match(/<tool-output-compacted [^>]*>/g) ?? []
    expect(placeholders.length).toBeGreaterThan(2)
    for (const placeholder of placeholders) expect(placeholder).toMatch(/ read-with="recall" \/>$/)
  })

  test('is told so once by the summary, and where an output was clipped', async () => {
    const long = step('long', 'Bash', { command: 'npm test' }, output.repeat(30))
    const session = await sessionOf([...reading(3), human('Test it.'), ...long.flat()], policy)
    expect((await session.compact()).action).toBe('summary')
    const text = textOf(session)
    expect(text.match(/The tool recall reads it back/g)).toHaveLength(1)
    expect(text).toMatch(/the whole is ref \d+\.0, read it with recall …\]/)
  })

  test('is not told so again by what it was told before', async () => {
    const session = await sessionOf([...reading(6), human('And now the rest.')], policy)
    await session.compact()
    const checkpoint = logOf(session.messages())[0]
    expect(checkpoint).toMatchObject({ kind: 'checkpoint' })
    expect(JSON.stringify(checkpoint)).not.toContain('The tool recall')
    await session.append(...reading(6))
    await session.compact()
    expect(textOf(session).match(/The tool recall reads it back/g)).toHaveLength(1)
  })

  test('has room for what it is told', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), arbitraryWindow, async (drafts, context) => {
        const { requests, error } = await drive(drafts, { window: { context }, policy })
        for (const { tokens, usable } of requests) expect(tokens).toBeLessThanOrEqual(usable)
        if (error !== undefined) expect(error).toMatchObject({ code: 'CONTEXT_FLOOR' })
      }),
      runs(40),
    )
  })

  test('is told so in what the least context holds', () => {
    const least = {
      context: emptyContext(),
      units: [],
      facts: emptyFacts(),
      frame: {},
      room: modelTokens(4_000),
      standing: modelTokens(4_000),
    }
    const counter = plainCounter((text) => text.length)
    const told = floorOf({ ...least, recallTool: 'recall' }, counter).total
    expect(told - floorOf(least, counter).total).toBeGreaterThan(100)
  })

  test('has a tool whose name steps out of nothing', async () => {
    const hostile = { ...policy, recallTool: 'x" /><b>' }
    const session = await sessionOf(reading(12), hostile)
    await session.fit()
    expect(textOf(session)).toContain('read-with="x__/__b_"')
  })
})

describe('a model that cannot', () => {
  test.each([
    ['by default', defaultPolicy],
    ['by the seeds', presets.seed],
  ])('is told of no tool: %s', async (_, policy) => {
    const session = await sessionOf([...reading(12), human('Test it.'), assistant('Done.')], policy)
    await session.fit()
    await session.compact()
    expect(textOf(session)).not.toMatch(/recall|read-with/)
  })
})
