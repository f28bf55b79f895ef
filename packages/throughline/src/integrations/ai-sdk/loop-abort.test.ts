import { describe, expect, test } from 'vitest'
import { agent, lines, type Agent, type AgentOptions } from '../../testing/generate/agent.ts'
import { illegalities } from '../../testing/legal.ts'
import { openCallIds } from '../../testing/open-calls.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import type { RunResult } from '../../session/loop/loop.ts'
import type { SessionEvent } from '../../session/events.ts'

interface Aborted {
  stopped: Agent
  result: RunResult
}

/** Runs until an event is seen, and aborts: what hangs in these scripts hangs for ever. */
async function abortAt(
  isMoment: (event: SessionEvent) => boolean,
  options: AgentOptions,
  prepare: (session: Agent['session'], abort: () => void) => Promise<unknown> = (session) =>
    session.say('go'),
): Promise<Aborted> {
  const controller = new AbortController()
  let seen = false
  const stopped = await agent({
    ...options,
    onEvent: (event) => {
      if (seen || !isMoment(event)) return
      seen = true
      controller.abort()
    },
  })
  await prepare(stopped.session, () => controller.abort())
  const result = await stopped.run(controller.signal)
  return { stopped, result }
}

const streamed =
  (type: string) =>
  (event: SessionEvent): boolean =>
    event.type === 'part' && (event.part as { type: string }).type === type

/** What must hold of a session after any abort: its log is legal and it goes on. */
async function goesOn({ stopped, result }: Aborted): Promise<void> {
  expect(result.reason).toBe('aborted')
  const { session, run } = stopped
  expect(illegalities(session.messages())).toEqual([])
  expect(openCallIds(session.messages())).toEqual([])
  await session.say('go on')
  await expect(run()).resolves.toMatchObject({ reason: 'finished' })
  expect((await session.history()).at(-1)?.message.content).toEqual([
    { type: 'text', text: 'Done.' },
  ])
}

describe('an abort', () => {
  test('before the run asks nothing and writes nothing', async () => {
    const { session, run, model } = await agent({ script: [{ text: 'Done.' }] })
    await session.say('go')
    await expect(run(AbortSignal.abort())).resolves.toEqual({ reason: 'aborted', steps: 1 })
    expect(model.requests).toEqual([])
    expect(await session.log()).toHaveLength(1)
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
  })

  test('before the model answers leaves the session as it was', async () => {
    const aborted = await abortAt(streamed('start'), {
      script: [{ hangs: 'before' }, { text: 'Done.' }],
    })
    expect(await aborted.stopped.session.log()).toHaveLength(1)
    await goesOn(aborted)
  })

  test('during the stream keeps what was said', async () => {
    const aborted = await abortAt(streamed('text-delta'), {
      script: [{ text: 'I think', chunk: 3, hangs: 'after-text' }, { text: 'Done.' }],
    })
    const said = (await aborted.stopped.session.latest()).assistant
    expect(said).toMatchObject({ finish: 'aborted', message: { content: [{ type: 'text' }] } })
    await goesOn(aborted)
  })

  test('during a tool that does not listen keeps the other’s result and closes its call', async () => {
    const aborted = await abortAt(streamed('tool-result'), {
      script: [{ calls: [{ name: 'read' }, { name: 'stuck' }] }, { text: 'Done.' }],
    })
    const results = aborted.stopped.session
      .messages()
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
    expect(results).toMatchObject([
      { toolName: 'read', output: { type: 'text' } },
      { toolName: 'stuck', output: { value: '[No result: the call was aborted.]' } },
    ])
    await goesOn(aborted)
  })

  test('during a tool lets the run go on without a word of the human', async () => {
    const { stopped } = await abortAt(streamed('tool-call'), {
      script: [{ calls: [{ name: 'stuck' }] }, { text: 'Done.' }],
    })
    await expect(stopped.run()).resolves.toMatchObject({ reason: 'finished' })
  })

  test('during a summary changes nothing, and the next run compacts', async () => {
    let asked = (): void => {}
    const hangs = (): Promise<never> => {
      asked()
      return new Promise(() => {})
    }
    const summarizer = scriptedSummarizer(hangs, 'good')
    const aborted = await abortAt(
      () => false,
      { script: () => ({ text: 'Done.' }), window: { context: 8_000 }, summarizer },
      async (session, abort) => {
        asked = abort
        await session.say(`read this: ${lines('first', 5_000)}`)
        await session.append({
          kind: 'message',
          at: 0,
          origin: 'model',
          finish: 'stop',
          message: { role: 'assistant', content: 'I did.' },
        })
        await session.say(`and this: ${lines('second', 1_500)}`)
      },
    )
    expect(await aborted.stopped.session.log()).toHaveLength(3)
    expect(aborted.stopped.compactions()).toEqual([])
    await goesOn(aborted)
    expect(aborted.stopped.compactions()).toHaveLength(1)
  })

  test('does not wait for a compaction that someone else asked for', async () => {
    const { session, run } = await agent({
      script: [{ text: 'Done.' }],
      summarizer: scriptedSummarizer('hangs'),
    })
    for (const name of ['a', 'b', 'c']) await session.say(lines(name, 3_000))
    const other = new AbortController()
    const compacting = session.compact({ signal: other.signal })
    const mine = new AbortController()
    const running = run(mine.signal)
    setTimeout(() => mine.abort(), 10)
    await expect(running).resolves.toMatchObject({ reason: 'aborted' })
    other.abort()
    await expect(compacting).rejects.toThrow()
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
  })
})
