import { describe, expect, test } from 'vitest'
import { factsOf } from '../facts/facts-of.ts'
import {
  count,
  expectHumanWords,
  expectWholePairs,
  messages,
  missing,
  partCount,
  rawDocument,
  read,
  samplesIn,
} from './testing/real-sessions.ts'
import type { SessionRead } from './reading/read-session.ts'

type Fields = Record<string, unknown>

/** The files that a patch changes, by its own headers. */
function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(/^diff --git a\/(\S+) b\//gm)].map(([, path = '']) => path)
}

/** The files that the index says were changed, and what became of them. */
function changedFiles({ log, facts }: SessionRead): [path: string, state: string][] {
  const directories = facts.directory === undefined ? [] : [facts.directory]
  return [...factsOf(log, { directories }).files.values()]
    .filter(({ state }) => state !== 'read')
    .map(({ path, state }) => [path, state])
}

describe.skipIf(missing !== '')(`real OpenHands runs${missing}`, () => {
  test.each(samplesIn('openhands'))('%s', async (name) => {
    const session = await read('openhands', name)
    const run = rawDocument('openhands', name) as {
      history: (Fields & { content?: string })[]
      test_result: { git_patch: string }
    }
    const { log, format, facts, skipped } = session
    expect(format).toBe('openhands')
    expect(skipped).toEqual([])
    expect(facts).toMatchObject({
      id: 'ponylang__ponyc-4588',
      model: 'meta-llama/llama-4-maverick',
    })
    expect(facts.system).toContain('You are OpenHands agent')
    expect(facts.omitted).toBeUndefined()
    expectWholePairs(log)

    const tied = run.history.filter((event) => event['tool_call_metadata'])
    const observed = tied.filter((event) => event['observation'])
    expect(partCount(log, 'tool-call')).toBe(tied.length - observed.length)
    expect(partCount(log, 'tool-result')).toBe(observed.length)
    const said = JSON.stringify(log)
    for (const { content = '' } of observed) {
      expect(said).toContain(JSON.stringify(content).slice(1, -1))
    }
    for (const { origin, usage, at } of messages(log)) {
      expect(at).toBeGreaterThan(Date.UTC(2025, 3, 30))
      expect(usage !== undefined).toBe(origin === 'model')
    }
    expect(messages(log).filter(({ origin }) => origin === 'human')).toHaveLength(1)
    const changed = changedFiles(session).map(([path]) => path)
    expect(changed).toEqual(patchedFiles(run.test_result.git_patch))
  })
})

describe.skipIf(missing !== '')(`real SWE-agent runs${missing}`, () => {
  test.each(samplesIn('swe-agent'))('%s', async (name) => {
    const session = await read('swe-agent', name)
    const run = rawDocument('swe-agent', name) as {
      history: (Fields & { tool_calls?: unknown[] })[]
      trajectory: { messages: { content: string }[] }[]
      info: { submission: string }
    }
    const { log, format, facts, skipped } = session
    expect(format).toBe('swe-agent')
    expect(skipped).toEqual([])
    expect(facts).toMatchObject({ directory: '/testbed' })
    expect(facts.system).toContain('SETTING: You are an autonomous programmer')
    expect(facts.omitted).toBeUndefined()
    expectWholePairs(log)
    expectHumanWords(log)

    expect(messages(log)).toHaveLength(run.history.length - 1)
    const calls = run.history.flatMap((message) => message.tool_calls ?? [])
    expect(partCount(log, 'tool-call')).toBe(calls.length)
    expect(partCount(log, 'tool-result')).toBe(calls.length)
    const last = run.trajectory.at(-1)?.messages ?? []
    const elided = last.filter(({ content }) => content.includes('Old environment output: ('))
    const prune = log.find((entry) => entry.kind === 'prune')
    expect(count(log, 'prune')).toBe(1)
    expect(prune?.replacements).toHaveLength(elided.length)

    const changed = changedFiles(session)
    expect(changed).toContainEqual(['reproduce.py', 'deleted'])
    const kept = changed.filter(([, state]) => state !== 'deleted').map(([path]) => path)
    expect(kept).toEqual(patchedFiles(run.info.submission))
  })
})

describe.skipIf(missing !== '')(`real requests of Chat Completions${missing}`, () => {
  test.each(samplesIn('openai-chat'))('%s', async (name) => {
    const { log, format, facts } = await read('openai-chat', name)
    const { messages: said } = rawDocument('openai-chat', name) as {
      messages: { role: string; content: string }[]
    }
    expect(format).toBe('openai-chat')
    expect(facts).toMatchObject({ model: 'litellm_proxy/deepseek-chat', window: 65_536 })
    expect(facts.system).toBe(said[0]?.content)
    expectWholePairs(log)

    // Its calls were written as texts; only the answer has one of its own.
    const written = said.filter(
      ({ role, content }) => role === 'assistant' && content.includes('<function='),
    )
    expect(partCount(log, 'tool-call')).toBe(written.length + 1)
    expect(partCount(log, 'tool-result')).toBe(written.length)
    const humans = messages(log).filter(({ origin }) => origin === 'human')
    expect(humans.map(({ message }) => message.content)).toEqual([
      "Hello! Can you create a new Python file named hello.py that prints 'Hello, World!'?",
    ])
    expect(messages(log).at(-1)?.usage).toMatchObject({ inputTokens: 9204, cacheReadTokens: 9024 })
  })
})
