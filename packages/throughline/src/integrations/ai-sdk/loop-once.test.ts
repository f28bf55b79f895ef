import { describe, expect, test } from 'vitest'
import { agent, lines } from '../../testing/generate/agent.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { memoryStore } from '../../stores/memory.ts'
import { latest } from '../../log/context/trusted-usage.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'

describe('one overflow is one compaction', () => {
  test('also where the tail holds the very step that overflowed', async () => {
    // The shape of opencode's PR 27545: a finished step whose usage of 280,000 tokens is kept in
    // the tail stands behind the summary in the model's order.
    const summarizer = scriptedSummarizer('good')
    const { session, run, compactions, model } = await agent({
      window: { context: 300_000 },
      script: [{ text: 'First part done.' }, { text: 'Second part done.' }, { text: 'Third.' }],
      summarizer,
    })
    for (let turn = 1; turn <= 12; turn++) {
      await session.say(`Explain part ${turn}.`)
      const message = { role: 'assistant', content: lines(`part-${turn}`, 20_000) } as const
      await session.append({ kind: 'message', at: 0, origin: 'model', finish: 'stop', message })
    }
    await session.say('Now write the end.')
    await session.append(
      {
        kind: 'message',
        at: 0,
        origin: 'model',
        finish: 'tool-calls',
        usage: { inputTokens: 279_000, outputTokens: 1_500 },
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I am nearly there.' },
            { type: 'tool-call', toolCallId: 'x', toolName: 'read', input: { path: 'end' } },
          ],
        },
      },
      {
        kind: 'message',
        at: 0,
        origin: 'tool',
        message: {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'x',
              toolName: 'read',
              output: { type: 'text', value: 'the end' },
            },
          ],
        },
      },
    )
    await expect(run()).resolves.toMatchObject({ reason: 'finished', steps: 1 })
    expect(compactions()).toHaveLength(1)
    expect(summarizer.requests).toHaveLength(1)
    const kept = session
      .messages()
      .some((message) => JSON.stringify(message).includes('nearly there'))
    expect(kept).toBe(true)
    await session.say('go on')
    await run()
    await session.say('and on')
    await run()
    expect(compactions()).toHaveLength(1)
    expect(model.requests).toHaveLength(3)
    expect(latest(await session.log()).finished).toMatchObject({
      message: { content: [{ type: 'text', text: 'Third.' }] },
    })
  })

  test('for two runs and three gates at the same time', async () => {
    const { session, run, compactions } = await agent({
      window: { context: 16_000 },
      script: (): ScriptedAnswer => ({ text: 'Done.', delay: 5 }),
      summarizer: scriptedSummarizer(async ({ through }) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return { text: `nothing usable about ${through}`, finish: 'stop' }
      }),
    })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await session.say(lines(name, 2_600))
    await Promise.all([run(), session.fit(), run(), session.fit(), session.fit()])
    expect(compactions()).toHaveLength(1)
    const checkpoints = (await session.log()).filter(({ kind }) => kind === 'checkpoint')
    expect(checkpoints).toHaveLength(1)
  })

  test('for two processes at the same session', async () => {
    const store = memoryStore()
    // Who comes second may find the first one's answer, and asks behind it.
    const rules = { lenient: true }
    const first = await agent({
      store,
      rules,
      window: { context: 16_000 },
      script: () => ({ text: 'Done.' }),
    })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await first.session.say(lines(name, 2_600))
    const second = await agent({
      store,
      rules,
      window: { context: 16_000 },
      script: () => ({ text: 'Done.' }),
    })
    await Promise.all([first.run(), second.run()])
    const entries = await store.read('agent')
    expect(entries.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(1)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
  })
})
