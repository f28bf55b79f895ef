import { describe, expect, test } from 'vitest'
import { agent, lines, type Agent } from '../../testing/generate/agent.ts'
import { illegalities } from '../../testing/legal.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'

/** Reads one file a step, so many times, and says that it is done. */
function reading(files: number, tokens: number): (request: { number: number }) => ScriptedAnswer {
  return ({ number }) =>
    number > files
      ? { text: 'All files are read.' }
      : {
          text: `Reading file ${number}.`,
          calls: [{ name: 'read', input: { path: `src/file-${number}.ts`, tokens } }],
        }
}

function largest({ model }: Agent): number {
  return Math.max(...model.requests.map(({ tokens }) => tokens))
}

describe('the loop through the AI SDK', () => {
  test('streams, runs tools and ends when the model does', async () => {
    const { session, run, events } = await agent({
      script: [
        { calls: [{ name: 'read', input: { path: 'a' } }, { name: 'broken' }] },
        { text: 'Hello, there.', chunk: 5 },
      ],
    })
    await session.say('read it')
    await expect(run()).resolves.toEqual({ reason: 'finished', steps: 2 })
    const roles = (await session.history()).map(({ message }) => message.role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
    const deltas = events.filter(
      (event) => event.type === 'part' && (event.part as { type: string }).type === 'text-delta',
    )
    expect(deltas).toHaveLength(3)
    expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'finished' })
    expect((await session.latest()).measured?.usage?.inputTokens).toBeGreaterThan(0)
  })

  test('compacts before a request that would not fit, and goes on', async () => {
    const { session, run, model, compactions } = await agent({
      window: { context: 8_000 },
      script: reading(8, 1_000),
      rules: { window: 8_000 },
      summarizer: scriptedSummarizer('good'),
    })
    await session.say('Read all files. Never push to main.')
    await expect(run()).resolves.toEqual({ reason: 'finished', steps: 9 })
    expect(compactions().length).toBeGreaterThan(0)
    const last = JSON.stringify(model.requests.at(-1)?.prompt)
    expect(last).toContain('Never push to main.')
    expect(JSON.stringify(await session.history())).not.toContain('"continue"')
  })

  test.each([
    { summarizer: 'a model', options: { summarizer: scriptedSummarizer('good') } },
    { summarizer: 'nothing but code', options: {} },
  ])('finishes a task ten times its window, summarized by $summarizer', async ({ options }) => {
    const window = 16_000
    const long = await agent({
      ...options,
      window: { context: window },
      script: reading(110, 1_500),
      rules: { window },
    })
    await long.session.say('Read all files. Use npm, not pnpm.')
    await expect(long.run()).resolves.toMatchObject({ reason: 'finished', steps: 111 })
    const { session, model, compactions } = long
    expect(model.requests).toHaveLength(111)
    const read = (await session.log()).filter(({ kind }) => kind === 'message').length
    expect(read).toBe(1 + 110 * 2 + 1)
    expect(largest(long)).toBeLessThanOrEqual(window)
    expect(compactions().length).toBeGreaterThan(5)
    // Each makes room for the next steps: no two in a row.
    expect(compactions().length).toBeLessThan(110 / 2)
    expect(illegalities(session.messages())).toEqual([])
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain('Use npm, not pnpm.')
  })

  test('says what fills the window before it spends a call', async () => {
    const { session, run, model } = await agent({
      window: { context: 2_000 },
      script: [{ text: 'x' }],
    })
    await session.say(lines('huge', 8_000))
    await expect(run()).rejects.toMatchObject({ code: 'CONTEXT_FLOOR' })
    expect(model.requests).toHaveLength(0)
  })

  test('stops at its limit of steps', async () => {
    const { session, run } = await agent({ script: reading(99, 10), maxSteps: 3 })
    await session.say('go')
    await expect(run()).resolves.toEqual({ reason: 'step-limit', steps: 3 })
  })

  test('stops where the model reached its output limit, and leaves no call open', async () => {
    const { session, run } = await agent({
      script: [
        { text: 'a long ans', calls: [{ name: 'read' }], finish: 'length' },
        { text: 'Better.' },
      ],
    })
    await session.say('go')
    await expect(run()).resolves.toMatchObject({ reason: 'length' })
    await session.say('shorter, please')
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
  })
})
