import { describe, expect, test } from 'vitest'
import { agent, lines, type Agent } from '../testing/generate/agent.ts'
import { assistant, human } from '../testing/generate/build.ts'
import { goodSummary, scriptedSummarizer } from '../testing/scripted/scripted-summarizer.ts'
import { memoryStore } from '../stores/memory.ts'
import { messageText } from '../log/message.ts'
import { openSession } from './session.ts'
import type { SummaryAnswer } from '../compaction/summary/with-model/summarizer.ts'

/** A session in need of a compaction, and what its summarizer waits for. */
async function compacting(
  rule = '',
): Promise<{ agent: Agent; answer: () => void; asked: Promise<void> }> {
  let answer: () => void = () => {}
  let ask: () => void = () => {}
  const asked = new Promise<void>((resolve) => (ask = resolve))
  const summarizer = scriptedSummarizer(async (request): Promise<SummaryAnswer> => {
    ask()
    await new Promise<void>((resolve) => (answer = resolve))
    return { text: goodSummary(request), finish: 'stop' }
  })
  const made = await agent({ script: () => ({ text: 'Done.' }), summarizer })
  for (const name of ['first', 'second', 'third']) {
    await made.session.say(`${rule}\n\n${lines(name, 3_000)}`.trimStart())
    await made.session.append({
      kind: 'message',
      at: 0,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: `read ${name}` },
    })
  }
  return { agent: made, answer: () => answer(), asked }
}

describe('while a summary is being written', () => {
  test('what is said stands behind it, also when the session is looked at meanwhile', async () => {
    const { agent, answer, asked } = await compacting()
    const { session } = agent
    const compaction = session.compact()
    await asked
    await session.say('wait, one more thing')
    session.measure()
    session.messages()
    answer()
    await expect(compaction).resolves.toMatchObject({ action: 'summary' })
    const texts = session.messages().map(messageText)
    expect(texts.filter((text) => text === 'wait, one more thing')).toHaveLength(1)
    expect(texts.at(-1)).toBe('wait, one more thing')
    expect(texts[0]).toContain('<prior-conversation-summary>')
  })

  test('a rule that is taken back meanwhile is not in force in it', async () => {
    const { agent, answer, asked } = await compacting('Never commit anything.')
    const { session } = agent
    const compaction = session.compact()
    await asked
    await session.say('I changed my mind about commits: from now on commit after every module.')
    answer()
    await compaction
    const [summary = ''] = session.messages().map(messageText)
    expect(summary).toMatch(/- Taken back \[\d+\]: Never commit anything\. \[\d+\]/)
    expect(summary).not.toMatch(/^- Never commit anything/m)
    expect(summary).toContain('I changed my mind about commits')
  })

  test('a compaction of someone else wins, and the log is planned for anew', async () => {
    const store = memoryStore()
    const options = { store, id: 'shared', window: { context: 200_000 } }
    let first = true
    const other = await openSession(options)
    const session = await openSession({
      ...options,
      summarizer: scriptedSummarizer(async (request) => {
        if (first) {
          first = false
          await other.sync()
          await other.compact()
          await session.say('and this')
        }
        return { text: goodSummary(request), finish: 'stop' }
      }),
    })
    for (const name of ['first', 'second', 'third']) await session.say(lines(name, 3_000))
    await session.compact()
    const summaries = session.context().items.filter(({ type }) => type === 'summary')
    expect(summaries).toHaveLength(1)
    expect(session.messages().map(messageText).at(-1)).toBe('and this')
  })

  test('what another process says meanwhile is no reason to ask for another one', async () => {
    const store = memoryStore()
    const options = { store, id: 'shared', window: { context: 200_000 } }
    const other = await openSession(options)
    const summarizer = scriptedSummarizer(async (request) => {
      await other.say('wait, one more thing')
      return { text: goodSummary(request), finish: 'stop' }
    })
    const session = await openSession({ ...options, summarizer })
    for (const name of ['first', 'second', 'third']) await session.say(lines(name, 3_000))
    await expect(session.compact()).resolves.toMatchObject({ summarizer: 'scripted' })
    expect(summarizer.requests).toHaveLength(1)
    expect(session.messages().map(messageText).at(-1)).toBe('wait, one more thing')
    await other.sync()
    expect(other.messages()).toEqual(session.messages())
  })

  test('whoever was refused at the same time shares one compaction', async () => {
    const store = memoryStore()
    const options = { store, id: 'shared', window: { context: 200_000 } }
    const [one, two] = [await openSession(options), await openSession(options)]
    // So much that a second compaction would find something to do, too.
    const said = Array.from({ length: 30 }, () => assistant('some source line\n'.repeat(100)))
    await one.append(human('Read it all.'), ...said)
    await two.sync()
    const reports = await Promise.all([one.recover(), one.recover(), two.recover()])
    expect(reports.map(({ action }) => action).toSorted()).toEqual(['none', 'none', 'summary'])
    expect(await store.read('shared', { kinds: ['checkpoint', 'prune'] })).toHaveLength(1)
    // What is refused later is compacted by itself.
    await one.say(lines('fourth', 6_000))
    expect((await one.recover()).action).not.toBe('none')
  })

  test('what is said while the log is read anew is not forgotten', async () => {
    const store = memoryStore()
    const slow = {
      ...store,
      read: async (...range: Parameters<typeof store.read>) => {
        const entries = await store.read(...range)
        await new Promise((resolve) => setTimeout(resolve, 1))
        return entries
      },
    }
    const session = await openSession({ store: slow, id: 'a', window: { context: 200_000 } })
    const other = await openSession({ store, id: 'a', window: { context: 200_000 } })
    await session.say('the key is hunter2hunter2')
    await other.sync()
    await other.redact({ text: 'hunter2hunter2' })
    await Promise.all([session.sync(), session.say('go on'), session.sync(), session.say('and on')])
    const said = ['the key is [redacted]', 'go on', 'and on']
    expect(session.messages().map(messageText)).toEqual(said)
    expect(await session.log()).toEqual(await store.read('a'))
  })

  test('two writers read each other’s entries once', async () => {
    const store = memoryStore()
    const slow = {
      ...store,
      read: async (...range: Parameters<typeof store.read>) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        return store.read(...range)
      },
    }
    const options = { store: slow, id: 'shared', window: { context: 200_000 } }
    const [one, two] = [await openSession(options), await openSession(options)]
    await Promise.all([1, 2, 3].flatMap((n) => [one.say(`one ${n}`), two.say(`two ${n}`)]))
    await one.sync()
    await two.sync()
    expect((await one.log()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await two.log()).toEqual(await one.log())
  })
})
