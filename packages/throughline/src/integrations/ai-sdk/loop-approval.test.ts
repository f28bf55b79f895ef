import { describe, expect, test } from 'vitest'
import { agent, lines, type Agent } from '../../testing/generate/agent.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { partsOf } from '../../log/message.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'

const remove = (path: string): NonNullable<ScriptedAnswer['calls']>[number] => ({
  name: 'remove',
  input: { path },
})

function approvalIds({ session }: Agent): string[] {
  return session
    .messages()
    .flatMap(partsOf)
    .flatMap((part) => (part.type === 'tool-approval-request' ? [part.approvalId] : []))
}

async function answer({ session }: Agent, approvalId: string, approved: boolean): Promise<void> {
  await session.append({
    kind: 'message',
    at: 0,
    origin: 'human',
    message: {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved, reason: 'because' }],
    },
  })
}

describe('a call that needs approval', () => {
  test('stops the run, stays pending, and goes on when it is approved', async () => {
    const waiting = await agent({ script: [{ calls: [remove('old.ts')] }, { text: 'Deleted.' }] })
    await waiting.session.say('delete it')
    await expect(waiting.run()).resolves.toEqual({ reason: 'pending', steps: 1 })
    await expect(waiting.run()).resolves.toEqual({ reason: 'pending', steps: 0 })
    expect(waiting.model.requests).toHaveLength(1)
    await answer(waiting, approvalIds(waiting)[0] as string, true)
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'finished' })
    expect(waiting.model.requests).toHaveLength(2)
    expect(JSON.stringify(waiting.model.requests[1]?.prompt)).toContain('deleted old.ts')
  })

  test('is told that it was denied', async () => {
    const waiting = await agent({ script: [{ calls: [remove('old.ts')] }, { text: 'I see.' }] })
    await waiting.session.say('delete it')
    await waiting.run()
    await answer(waiting, approvalIds(waiting)[0] as string, false)
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'finished' })
    const prompt = JSON.stringify(waiting.model.requests[1]?.prompt)
    expect(prompt).toContain('execution-denied')
    expect(prompt).not.toContain('deleted old.ts')
  })

  test('waits until all are answered, and then runs each once', async () => {
    const waiting = await agent({
      script: [
        { calls: [remove('a.ts'), { name: 'read', input: { tokens: 1 } }, remove('b.ts')] },
        { text: 'Done.' },
      ],
    })
    await waiting.session.say('delete both')
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'pending' })
    const [first, second] = approvalIds(waiting) as [string, string]
    await answer(waiting, second, true)
    await expect(waiting.run()).resolves.toEqual({ reason: 'pending', steps: 0 })
    await answer(waiting, first, false)
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'finished' })
    const prompt = JSON.stringify(waiting.model.requests[1]?.prompt)
    expect(prompt).toContain('deleted b.ts')
    expect(prompt).not.toContain('deleted a.ts')
  })

  test('is given up where the human says something else instead', async () => {
    const waiting = await agent({ script: [{ calls: [remove('old.ts')] }, { text: 'Fine.' }] })
    await waiting.session.say('delete it')
    await waiting.run()
    await waiting.session.say('no, leave it')
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'finished' })
    expect(JSON.stringify(waiting.model.requests[1]?.prompt)).toContain('the call was aborted')
  })

  test('keeps what the tool returned where the request behind it fails', async () => {
    const waiting = await agent({
      script: ({ number }) =>
        number === 1
          ? { calls: [remove('old.ts')] }
          : number === 2
            ? { error: new Error('out of order') }
            : { text: 'Deleted.' },
    })
    await waiting.session.say('delete it')
    await waiting.run()
    await answer(waiting, approvalIds(waiting)[0] as string, true)
    await expect(waiting.run()).rejects.toThrow('out of order')
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'finished' })
    const results = (await waiting.session.log()).filter(({ kind, ...entry }) =>
      JSON.stringify([kind, entry]).includes('deleted old.ts'),
    )
    expect(results).toHaveLength(1)
  })

  test('survives a compaction between the question and the answer', async () => {
    const waiting = await agent({
      script: [{ calls: [remove('old.ts')] }, { text: 'Deleted.' }],
      summarizer: scriptedSummarizer('good'),
    })
    for (const name of ['a', 'b']) await waiting.session.say(lines(name, 3_000))
    await waiting.session.say('delete it')
    await waiting.run()
    await expect(waiting.session.compact()).resolves.toMatchObject({ action: 'summary' })
    await expect(waiting.run()).resolves.toEqual({ reason: 'pending', steps: 0 })
    await answer(waiting, approvalIds(waiting)[0] as string, true)
    await expect(waiting.run()).resolves.toMatchObject({ reason: 'finished' })
    expect(JSON.stringify(waiting.model.requests[1]?.prompt)).toContain('deleted old.ts')
  })
})
