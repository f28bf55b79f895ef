import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { memoryStore } from '../../stores/memory.ts'
import { agent, lines, tools, type AgentOptions } from '../../testing/generate/agent.ts'
import { recallTool } from './recall-tool.ts'
import { toolSchemas } from './tool-schemas.ts'
import type { ScriptedRequest } from '../../testing/scripted/scripted-model.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'

const files = 8
const policy = { ...defaultPolicy, recallTool: 'recall' }

/** An agent whose model reads files until some are compacted, and then does as `after` says. */
async function readingAgent(
  after: (request: ScriptedRequest, prompt: string) => ScriptedAnswer,
  options: Partial<AgentOptions> = {},
) {
  const store = memoryStore()
  const ownTools = { ...tools, recall: recallTool({ store, id: 'agent' }) }
  return agent({
    store,
    policy,
    tools: await toolSchemas(ownTools),
    step: { tools: ownTools },
    window: { context: 16_000 },
    rules: { window: 16_000 },
    script: (request) => {
      const { number, prompt } = request
      if (number > files) return after(request, JSON.stringify(prompt))
      const input = { path: `src/file-${number}.ts`, tokens: 2_500 }
      return { calls: [{ name: 'read', input }] }
    },
    ...options,
  })
}

describe('the recall tool in the loop', () => {
  test('gives the model the original of what a placeholder stands for', async () => {
    let asked = ''
    const { session, run, model, compactions } = await readingAgent(({ number }, prompt) => {
      if (number > files + 1) return { text: 'Found it.' }
      const ref =
        /tool-output-compacted tool=\\"read\\"[^>]* ref=\\"([\d.]+)\\" read-with=\\"recall\\"/
      asked = ref.exec(prompt)?.[1] ?? 'none'
      return { calls: [{ name: 'recall', input: { ref: asked } }] }
    })
    await session.say('Read all files.')
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
    expect(compactions().length).toBeGreaterThan(0)
    expect(asked).toBe('3.0')
    const answer = JSON.stringify(model.requests.at(-1)?.prompt.at(-1))
    expect(answer).toContain(
      `<recalled ref=\\"3.0\\" who=\\"tool\\" what=\\"result\\" tool=\\"read\\"`,
    )
    const [first] = lines('src/file-1.ts', 2_500).split('\n')
    expect(answer).toContain(first)
  })

  test('gives it what a summary left out, by words', async () => {
    const { session, run, model } = await readingAgent(
      ({ number }) =>
        number > files + 1
          ? { text: 'Found it.' }
          : { calls: [{ name: 'recall', input: { words: 'src/file-1.ts value40' } }] },
      { policy: { ...policy, prune: () => undefined } },
    )
    await session.say('Read all files.')
    await run()
    const [summary] = model.requests.at(-1)?.prompt ?? []
    expect(JSON.stringify(summary)).toContain('The tool recall reads it back')
    const answer = JSON.stringify(model.requests.at(-1)?.prompt.at(-1))
    expect(answer).toContain('src/file-1.ts line 40: const value40 = 280')
  })

  test('tells the model how to ask, where it asked wrong', async () => {
    const { session, run, model } = await readingAgent(({ number }) =>
      number > files + 1
        ? { text: 'I see.' }
        : {
            calls: [
              { name: 'recall', input: { ref: '999' } },
              { name: 'recall', input: {} },
            ],
          },
    )
    await session.say('Read all files.')
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
    const answer = JSON.stringify(model.requests.at(-1)?.prompt.at(-1))
    expect(answer).toContain('seqs run from 1 to')
    expect(answer).toContain('Give exactly one of ref, path and words')
    expect(answer).not.toContain('error-text')
  })
})
