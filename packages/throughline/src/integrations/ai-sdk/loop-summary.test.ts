import { describe, expect, test } from 'vitest'
import { agent, lines, type Agent } from '../../testing/generate/agent.ts'
import { illegalities } from '../../testing/legal.ts'
import {
  scriptedSummarizer,
  type ScriptedSummary,
} from '../../testing/scripted/scripted-summarizer.ts'
import { defaultPolicy } from '../../compaction/policy.ts'

/** An agent that has to compact before its next request. */
async function full(...answers: ScriptedSummary[]): Promise<Agent> {
  const grown = await agent({
    script: () => ({ text: 'Done.' }),
    window: { context: 16_000 },
    rules: { window: 16_000 },
    summarizer: scriptedSummarizer(...answers),
  })
  for (let turn = 1; turn <= 6; turn++) {
    await grown.session.say(`question ${turn}: ${lines(`file-${turn}`, 2_000)}`)
    await grown.session.append({
      kind: 'message',
      at: 0,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: `answer ${turn}` },
    })
  }
  await grown.session.say('And now? Never push to main.')
  return grown
}

const bad: ScriptedSummary[] = ['empty', 'tool-call', 'refusal', 'throws']

describe('a summary', () => {
  test.each(bad)('that is bad (%s) is asked for once more, told what was wrong', async (kind) => {
    const grown = await full(kind, 'good')
    await expect(grown.run()).resolves.toMatchObject({ reason: 'finished' })
    const [report] = grown.compactions()
    expect(report).toMatchObject({ summarizer: 'scripted', rung: 'model' })
    const [first, second] = report?.attempts ?? []
    expect(first?.problems).not.toEqual([])
    expect(second?.problems).toEqual([])
  })

  test.each(bad)('that stays bad (%s) gives way to the local one', async (kind) => {
    const grown = await full(kind)
    await expect(grown.run()).resolves.toMatchObject({ reason: 'finished' })
    const [report] = grown.compactions()
    expect(report).toMatchObject({ summarizer: 'local', action: 'summary' })
    expect(report?.attempts).toHaveLength(kind === 'throws' ? defaultPolicy.attempts : 2)
    const prompt = JSON.stringify(grown.model.requests.at(-1)?.prompt)
    expect(prompt).toContain('Never push to main.')
    expect(illegalities(grown.session.messages())).toEqual([])
  })

  test('that invents names has them marked', async () => {
    const grown = await full('invented-names')
    await grown.run()
    const { checkpoint } = grown.session.context()
    expect(checkpoint?.summary).toContain('`src/never/was-there.ts` (not seen in this session)')
  })

  test('that fails three times in a row is not asked for again for a while', async () => {
    const summarizer = scriptedSummarizer('throws')
    const { session, compactions } = await agent({
      script: () => ({ text: 'Done.' }),
      summarizer,
    })
    for (let round = 1; round <= 6; round++) {
      for (const name of ['a', 'b', 'c']) await session.say(lines(`${name}${round}`, 2_000))
      await session.compact()
    }
    const asked = compactions().map(({ attempts }) => attempts.length > 0)
    expect(asked).toEqual([true, true, true, false, false, false])
    const attempts = compactions().flatMap((report) => report.attempts)
    expect(summarizer.requests).toHaveLength(attempts.length)
    expect(attempts.length).toBeLessThanOrEqual(3 * defaultPolicy.attempts)
  })
})
