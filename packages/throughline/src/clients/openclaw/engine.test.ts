import { expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { objectsOf } from '../../json/fields.ts'
import { nativeText } from '../../formats/openclaw/reader.ts'
import { slotOf } from './engine.ts'
import type { ClientRecord } from '../record.ts'
import type { Fields } from '../../json/fields.ts'

function open(
  store = memoryStore(),
  off = false,
  history: () => Promise<readonly Fields[]> = async () => [],
) {
  const records: Omit<ClientRecord, 'at' | 'client'>[] = []
  const slot = slotOf({
    store,
    settings: () => ({ local: true, off, patience: 1_000 }),
    record: (entry) => records.push(entry),
    memory: () => 'Look into the notes.',
    history,
    byHost: async () => ({ ok: true, compacted: false, reason: 'the host does it' }),
  })
  return { ...slot, engine: slot.engine(), records }
}

const long = 'word '.repeat(1_000)

function user(at: number, text: string): Fields {
  return { role: 'user', content: text, timestamp: at }
}

/** A step of the agent, with ids in one of the two ways in which the host writes them. */
function step(at: number, sign = '_'): Fields[] {
  const id = `call${sign}${at}`
  const call = { type: 'toolCall', id, name: 'exec', arguments: { command: `look ${at}` } }
  const content = [{ type: 'text', text: `Step ${at}.` }, call]
  const answer = [{ type: 'text', text: `${at} ${long}` }]
  return [
    { role: 'assistant', content, stopReason: 'toolUse', timestamp: at },
    { role: 'toolResult', toolCallId: id, toolName: 'exec', content: answer, timestamp: at },
  ]
}

const steps = (count: number, sign = '_') =>
  Array.from({ length: count }, (_, index) => step(index + 2, sign)).flat()

const sessionId = 's'

test('gives the host its own objects while all fits', async () => {
  const { engine } = open()
  const thought = { type: 'thinking', thinking: 'Where to look?' }
  const call = { type: 'toolCall', id: 'c1', name: 'exec', arguments: { command: 'look' } }
  const thinks = { role: 'assistant', content: [thought, call], stopReason: 'toolUse' }
  const messages = [user(1, 'Go.'), ...steps(3), { ...thinks, timestamp: 9 }]
  const view = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(view.messages).toHaveLength(messages.length)
  view.messages.forEach((message, index) => expect(message).toBe(messages[index]))
})

test('folds a running turn once, when the host has told all of it, and keeps its beginning', async () => {
  const { engine, port, records } = open()
  const messages = [user(1, 'Go. Never edit main.ts.'), ...steps(14)]
  // The host asks in the middle of a turn of which it has told nothing yet.
  const asked = { sessionId, compactionTarget: 'budget', currentTokenCount: 20_000 } as const
  expect(await engine.compact(asked)).toMatchObject({ ok: true, compacted: true })
  const first = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(first.estimatedTokens).toBeLessThanOrEqual(8_000)
  expect(nativeText(first.messages[0] ?? {})).toContain('Never edit main.ts.')
  const before = (await (await port.session(sessionId)).log()).length
  const again = await engine.assemble({
    sessionId,
    messages: first.messages,
    tokenBudget: 100_000,
  })
  expect(again.messages).toEqual(first.messages)
  expect((await (await port.session(sessionId)).log()).length).toBe(before)
  const compactions = records.filter(({ event }) => event === 'compaction')
  expect(compactions).toMatchObject([{ session: sessionId, by: 'local' }])
})

test('a compaction in the midst of a turn knows what the turn began with', async () => {
  const { engine } = open()
  const before = [user(1, 'Go. Never push to the server.'), ...steps(9)]
  await engine.commitTurn({ sessionId, advancementKey: 't', messages: before })
  await engine.assemble({ sessionId, messages: before, tokenBudget: 100_000 })
  await engine.compact({ sessionId, compactionTarget: 'budget' })
  // The host does this twice before it goes on.
  await engine.maintain({ sessionId })
  await engine.maintain({ sessionId })
  const change = user(12, 'I changed my mind about pushing: from now on push after every step.')
  const turn = Array.from({ length: 9 }, (_, index) => step(index + 13)).flat()
  const messages = [...before, change, ...turn]
  const view = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(nativeText(view.messages[0] ?? {})).toMatch(/^- Taken back .*Never push to the server/m)
})

test('a thread of a back end is begun anew with each compaction, and only then', async () => {
  const { engine, port } = open()
  const messages = [user(1, 'Go.'), ...steps(14)]
  const epoch = async () => (await engine.assemble({ sessionId, messages })).contextProjection.epoch
  const first = await epoch()
  await engine.commitTurn({ sessionId, advancementKey: 't', messages })
  expect(await epoch()).toBe(first)
  await engine.compact({ sessionId, compactionTarget: 'budget' })
  const second = await epoch()
  expect(second).not.toBe(first)
  expect(await epoch()).toBe(second)
  await (await port.session(sessionId)).pin('The port is 8080.')
  expect(await epoch()).not.toBe(second)
})

test('a person who asks for a compaction has it at once, with the focus', async () => {
  const { engine, records } = open()
  await engine.commitTurn({
    sessionId,
    advancementKey: 't',
    messages: [user(1, 'Go.'), ...steps(14)],
  })
  const wanted = { compactionTarget: 'threshold', customInstructions: 'the parser' } as const
  const done = await engine.compact({ sessionId, ...wanted })
  expect(done.result?.tokensAfter).toBeLessThan(done.result?.tokensBefore ?? 0)
  expect(records).toMatchObject([{ event: 'compaction' }])
})

test('what the agent asks for is compacted when its turn is over', async () => {
  const store = memoryStore()
  const { engine, records } = open(store)
  const messages = [user(1, 'Go.'), ...steps(14)]
  // The host loads a plugin several times: tools are another copy's.
  const at = await open(store).own(sessionId)
  at.asked = { keep: 'The port is 8080.' }
  await engine.assemble({ sessionId, messages: [], tokenBudget: 100_000 })
  expect(records).toEqual([])
  await engine.commitTurn({ sessionId, advancementKey: 't', messages })
  const view = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(records).toMatchObject([{ event: 'compaction' }])
  expect(JSON.stringify(view.messages)).toContain('The port is 8080.')
})

test('what the host has summarized before there was an engine stays, also behind a compaction', async () => {
  const { engine } = open()
  const earlier = {
    role: 'compactionSummary',
    summary: 'The harbor is called Elmwick.',
    timestamp: 1,
  }
  const messages = [earlier, user(2, 'Go.'), ...steps(14)]
  const view = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(view.messages[0]).toBe(earlier)
  await engine.compact({ sessionId, compactionTarget: 'budget' })
  const folded = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(folded.messages.length).toBeLessThan(messages.length / 2)
  expect(JSON.stringify(folded.messages)).toContain('Elmwick')
})

test('a session of before the installation is taken in whole, and begins with the host’s summary', async () => {
  const old = [user(1, 'The harbor is called Elmwick.'), ...steps(6)]
  const { engine, port, records } = open(memoryStore(), false, async () => old)
  const call = { sessionId }
  expect(await engine.bootstrap(call)).toMatchObject({ importedMessages: old.length })
  expect(await engine.bootstrap(call)).toMatchObject({ importedMessages: 0 })
  const summary = { role: 'compactionSummary', summary: 'A harbor was looked at.', timestamp: 90 }
  const messages = [summary, ...old.slice(-4), user(99, 'Go on.')]
  const view = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(nativeText(view.messages[0] ?? {})).toContain('A harbor was looked at.')
  expect(view.messages.slice(1)).toEqual(messages.slice(1))
  const again = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(again.messages).toEqual(view.messages)
  const log = await (await port.session(sessionId)).log()
  expect(JSON.stringify(log)).toContain('Elmwick')
  expect(records).toEqual([])
})

test('what the host summarizes by itself later replaces no summary of ours, and is told to nobody', async () => {
  const { engine } = open()
  const old = [user(1, 'Never edit main.ts.'), ...steps(14)]
  await engine.commitTurn({ sessionId, advancementKey: 't', messages: old })
  await engine.compact({ sessionId, compactionTarget: 'threshold' })
  const before = await engine.assemble({ sessionId, messages: old, tokenBudget: 100_000 })
  const summary = { role: 'compactionSummary', summary: 'Something was done.', timestamp: 90 }
  const messages = [summary, ...old.slice(-2), user(99, 'Go on.')]
  const { messages: view } = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(view.map(nativeText)).toEqual([...before.messages.map(nativeText), 'Go on.'])
})

test('a history that cannot be read now is said, and the session goes on with what is shown', async () => {
  const { engine, records } = open(memoryStore(), false, () => Promise.reject(new Error('locked')))
  expect(await engine.bootstrap({ sessionId })).toMatchObject({ importedMessages: 0 })
  expect(records).toMatchObject([{ event: 'error', reason: 'locked' }])
  const messages = [user(1, 'Go.')]
  expect((await engine.assemble({ sessionId, messages })).messages).toEqual(messages)
})

test('what the host says in the midst of a turn stays where it stood, so that the cache holds', async () => {
  const { engine } = open()
  const begun = [user(1, 'Go.'), ...steps(14)]
  await engine.compact({ sessionId, compactionTarget: 'budget' })
  const prompt = 'Continue the current task.'
  const folded = await engine.assemble({ sessionId, messages: begun, prompt, tokenBudget: 100_000 })
  const sent = [...folded.messages.map(nativeText), prompt, ...step(30).map(nativeText)]
  const messages = [...begun, ...step(30)]
  await engine.commitTurn({ sessionId, advancementKey: 't', messages })
  const shown = { sessionId, messages: messages.slice(-6) }
  const next = await engine.assemble({ ...shown, prompt: 'And now?' })
  expect(next.messages.map(nativeText)).toEqual(sent)
})

test('a prompt that the host keeps is not said twice', async () => {
  const { engine } = open()
  const begun = [user(1, 'Go.'), ...steps(14)]
  await engine.compact({ sessionId, compactionTarget: 'budget' })
  const prompt = 'And now?'
  await engine.assemble({ sessionId, messages: begun, prompt, tokenBudget: 100_000 })
  const messages = [...begun, user(40, prompt), ...step(41)]
  await engine.commitTurn({ sessionId, advancementKey: 't', messages })
  const { messages: view } = await engine.assemble({ sessionId, messages: messages.slice(-3) })
  expect(view.filter((each) => nativeText(each) === prompt)).toHaveLength(1)
})

test('a session that the host has begun anew begins anew', async () => {
  const { engine, port } = open()
  await engine.commitTurn({ sessionId, advancementKey: 't', messages: [user(1, 'It is blue.')] })
  await (await port.session(sessionId)).pin('The port is 8080.')
  const view = await engine.assemble({ sessionId, messages: [] })
  expect(view.messages).toEqual([])
  const next = [user(5, 'Which color?')]
  await engine.commitTurn({ sessionId, advancementKey: 'u', messages: next })
  const more = await engine.assemble({ sessionId, messages: next })
  expect(more.messages).toEqual(next)
})

test('the memory plugins of the host are heard, and switched off it leaves all to the host', async () => {
  const { engine } = open()
  const messages = [user(1, 'Go.')]
  const view = await engine.assemble({ sessionId, messages })
  expect(view.systemPromptAddition).toBe('Look into the notes.')
  expect(engine.info).toHaveProperty('ownsCompaction', true)
  const off = open(memoryStore(), true)
  expect(off.engine.info).not.toHaveProperty('ownsCompaction')
  expect(off.engine.info).not.toHaveProperty('transcriptSemantics')
})

test('a turn is committed once, also with ids that the host writes in another way', async () => {
  const { engine, port } = open()
  await engine.assemble({ sessionId, messages: [user(1, 'Go.'), ...steps(2, '')] })
  const turn = { sessionId, advancementKey: 't', messages: [user(1, 'Go.'), ...steps(3, '_')] }
  expect(await engine.commitTurn(turn)).toEqual({ status: 'committed' })
  expect(await engine.commitTurn(turn)).toEqual({ status: 'duplicate' })
  const log = await (await port.session(sessionId)).log()
  expect(log.filter(({ kind }) => kind === 'message')).toHaveLength(7)
  const { messages } = await engine.assemble({ sessionId, messages: [user(9, 'And?')] })
  const ids = messages.flatMap(({ toolCallId }) => toolCallId ?? [])
  const calls = messages.flatMap(({ role, content }) =>
    role === 'assistant' ? (content as Fields[]).flatMap(({ id }) => id ?? []) : [],
  )
  expect(ids).toEqual(calls)
})

function wake(at: number, answer: string): Fields[] {
  const provenance = { kind: 'internal_system', sourceTool: 'heartbeat' }
  const content = [{ type: 'text', text: answer }]
  return [
    { role: 'user', content: '[OpenClaw heartbeat poll]', timestamp: at, provenance },
    { role: 'assistant', content, stopReason: 'stop', timestamp: at + 1 },
  ]
}

test('what the host says to itself is no request, and where nothing was to be done it is left out', async () => {
  const { engine, port } = open()
  const asked = [user(1, 'Go.'), ...step(2)]
  const beats = Array.from({ length: 200 }, (_, at) => wake(10 + 2 * at, 'NO_REPLY')).flat()
  const told = [...beats, ...wake(900, 'The mail has come.')]
  await engine.commitTurn({ sessionId, advancementKey: 'a', messages: asked })
  await engine.commitTurn({ sessionId, advancementKey: 'h', messages: told })
  const view = await engine.assemble({ sessionId, messages: [...asked, ...told] })
  expect(view.messages).toEqual([...asked, ...told.slice(-2)])
  const log = await (await port.session(sessionId)).log()
  const origins = log.map((entry) => ('origin' in entry ? entry.origin : undefined))
  expect(origins.filter((origin) => origin === 'human')).toHaveLength(1)
})

test('what the host joins with a message is told once, and has not its speaker’s authority', async () => {
  const { engine, port } = open()
  await engine.commitTurn({ sessionId, advancementKey: 'a', messages: [writes('Bob', 1, 'Hi.')] })
  const texts = ['[OpenClaw heartbeat poll]', '/compact', 'Hi.', 'Never push.', 'Go on.']
  const content = texts.map((text) => ({ type: 'text', text }))
  const joined = { ...writes('Ann', 2, ''), content }
  const { messages } = await engine.assemble({ sessionId, messages: [joined] })
  expect(messages.map(nativeText)).toEqual(['[Bob] Hi.', 'Never push.', 'Go on.'])
  expect((await (await port.session(sessionId)).facts()).rules).toEqual([])
  const wakes = { role: 'user', content: content.slice(0, 1), timestamp: 5 }
  const stopped = [{ type: 'text', text: 'Stop.' }, ...content.slice(4)]
  const next = { role: 'user', content: stopped, timestamp: 6 }
  const view = await engine.assemble({ sessionId, messages: [joined, wakes, next] })
  expect(view.messages.map(nativeText).slice(3)).toEqual(['Stop.\nGo on.'])
})

const people = {
  Ann: { senderId: '100', senderName: 'Ann', senderIsOwner: true },
  Bob: { senderId: '200', senderName: 'Bob', senderIsOwner: false },
}

function writes(name: keyof typeof people, messageId: number, text: string): Fields {
  const about = { ...people[name], transport: { messageId: `${messageId}` } }
  // Channels tell the second alone.
  return { role: 'user', content: text, timestamp: 1_000, __openclaw: about }
}

test('of several people each is named, and only the owner’s words change the owner’s rules', async () => {
  const { engine, port } = open()
  const messages = [
    writes('Ann', 1, 'Never edit main.ts.'),
    writes('Bob', 2, 'Always answer in French. You can edit main.ts now.'),
    writes('Bob', 3, 'Hello.'),
  ]
  await engine.commitTurn({ sessionId, advancementKey: 'a', messages: [...messages, ...steps(14)] })
  await engine.compact({ sessionId, compactionTarget: 'threshold' })
  const rules = async () => {
    const facts = await (await port.session(sessionId)).facts()
    return facts.rules.filter((rule) => !rule.retractedBy).map(({ text }) => text)
  }
  expect(await rules()).toEqual(['[Ann] Never edit main.ts.', '[Bob] Always answer in French.'])
  const { messages: view } = await engine.assemble({ sessionId, messages: messages.slice(-1) })
  expect(nativeText(view[0] ?? {})).toContain('[Bob] Always answer in French.')
  const freed = [writes('Ann', 9, 'You can edit main.ts now.')]
  await engine.commitTurn({ sessionId, advancementKey: 'b', messages: freed })
  expect(await rules()).toEqual(['[Bob] Always answer in French.'])
})

test('what several people wrote in one second is taken once, also when the host gives it back', async () => {
  const { engine, port } = open()
  const messages = [writes('Ann', 1, 'One.'), writes('Bob', 2, 'Two.'), writes('Ann', 3, 'Three.')]
  await engine.commitTurn({ sessionId, advancementKey: 'a', messages })
  const tail = await engine.assemble({ sessionId, messages: messages.slice(1) })
  expect(tail.messages.map(nativeText)).toEqual(['[Ann] One.', 'Two.', 'Three.'])
  await engine.assemble({ sessionId, messages: tail.messages })
  const log = await (await port.session(sessionId)).log()
  expect(log.filter(({ kind }) => kind === 'message')).toHaveLength(3)
})

test('every compaction has an answer, and an engine in trouble gives the messages as they came', async () => {
  const { engine } = open()
  expect(await engine.compact({ sessionId })).toMatchObject({ ok: true, compacted: true })
  const asked = { sessionId, compactionTarget: 'threshold' } as const
  expect(await engine.compact(asked)).toMatchObject({ ok: true, compacted: false })
  const store = { ...memoryStore(), read: () => Promise.reject(new Error('the disk is gone')) }
  const broken = open(store)
  const messages = [user(1, 'Go.')]
  expect((await broken.engine.assemble({ sessionId, messages })).messages).toEqual(messages)
  expect(await broken.engine.compact(asked)).toMatchObject({ ok: true })
  expect(broken.records.at(-1)?.reason).toContain('the disk is gone')
})

test('a host that names no budget has its sessions compacted too', async () => {
  const { engine } = open()
  const messages = [user(1, 'Go. Never edit main.ts.'), ...steps(120)]
  const view = await engine.assemble({ sessionId, messages })
  expect(view.estimatedTokens).toBeLessThan(110_000)
  expect(view.messages.length).toBeLessThan(messages.length)
  expect(nativeText(view.messages[0] ?? {})).toContain('Never edit main.ts.')
})

test('an overflow that the host tries to cure once is cured, also below our own threshold', async () => {
  const { engine } = open()
  const messages = [user(1, 'Go.'), ...steps(10)]
  const before = await engine.assemble({ sessionId, messages, tokenBudget: 200_000 })
  const forced = {
    sessionId,
    compactionTarget: 'budget',
    force: true,
    tokenBudget: 200_000,
  } as const
  expect(await engine.compact(forced)).toMatchObject({ ok: true, compacted: true })
  const after = await engine.assemble({ sessionId, messages, tokenBudget: 200_000 })
  expect(after.estimatedTokens).toBeLessThan(before.estimatedTokens / 2)
})

test('what the next request would wait for is compacted behind the reply, and only that', async () => {
  const { engine, records } = open()
  expect(engine.info).toMatchObject({ turnMaintenanceMode: 'background' })
  const told: Fields[] = []
  const turn = async (messages: readonly Fields[], inItsCourse: number): Promise<void> => {
    const key = { sessionId, advancementKey: `${told.length}` }
    await engine.assemble({ sessionId, messages: told, tokenBudget: 20_000 })
    // In its course, what the turn adds is taken off the budget.
    await engine.assemble({ sessionId, messages: told, tokenBudget: inItsCourse })
    await engine.commitTurn({ ...key, messages })
    told.push(...messages)
    await engine.maintain({ sessionId })
  }
  const all = steps(50)
  await turn([user(1, 'Go.'), ...all.slice(0, 24)], 10_000)
  expect(records).toEqual([])
  await turn([user(100, 'Go on.'), ...all.slice(24)], 19_000)
  expect(records).toMatchObject([{ event: 'compaction' }])
  await engine.maintain({ sessionId })
  const view = await engine.assemble({ sessionId, messages: told, tokenBudget: 20_000 })
  expect(view.estimatedTokens).toBeLessThan(12_000)
  expect(records).toHaveLength(1)
})

test('where the host sends its own transcript, it compacts that by itself', async () => {
  const { engine } = open()
  const settled = { executionHost: { id: 'cli:claude-cli' } }
  const byHost = { reason: 'the host does it' }
  const forced = { sessionId, compactionTarget: 'budget', runtimeSettings: settled } as const
  expect(await engine.compact(forced)).toMatchObject(byHost)
  const asked = { sessionId, compactionTarget: 'threshold' } as const
  const bound = { runtimeContext: { cliSessionId: 'c' } }
  expect(await engine.compact({ ...asked, ...bound })).toMatchObject(byHost)
  const off = open(memoryStore(), true)
  expect(await off.engine.compact({ sessionId, compactionTarget: 'threshold' })).toMatchObject(
    byHost,
  )
})

test('an answer that the host joins with the one before it is kept, with the calls in it', async () => {
  const { engine, port } = open()
  const says = (text: string, at: number): Fields => {
    const content = [{ type: 'text', text }]
    return { role: 'assistant', content, stopReason: 'stop', timestamp: at }
  }
  const turn = [user(1, 'Go.'), says('It is asked.', 2)]
  await engine.commitTurn({ sessionId, advancementKey: 't', messages: turn })
  // The sub-agent's report is in no turn that the host commits; the answer to it is in the next request.
  const [called, result] = step(3)
  const first = { type: 'text', text: 'It is asked.' }
  const joined = { ...says('', 2), content: [first, ...objectsOf(called?.['content'])] }
  const messages = [user(1, 'Go.'), joined, result ?? {}, user(9, 'And?')]
  const view = await engine.assemble({ sessionId, messages })
  const roles = ['user', 'assistant', 'assistant', 'toolResult', 'user']
  expect(view.messages.map(({ role }) => role)).toEqual(roles)
  expect(view.messages.map(nativeText).slice(1, 3)).toEqual(['It is asked.', 'Step 3.\n'])
  const log = (await (await port.session(sessionId)).log()).length
  await engine.assemble({ sessionId, messages })
  expect((await engine.assemble({ sessionId, messages: view.messages })).messages).toEqual(
    view.messages,
  )
  expect((await (await port.session(sessionId)).log()).length).toBe(log)
})

test('a turn that could not be kept is taken when the host tells it again', async () => {
  const store = memoryStore()
  let isBroken = true
  const flaky = {
    ...store,
    append: (...args: Parameters<typeof store.append>) =>
      isBroken ? Promise.reject(new Error('the disk is full')) : store.append(...args),
  }
  const { engine, records } = open(flaky)
  // A host that requires what only some of its runs have would refuse the others for good.
  expect(engine.info).not.toHaveProperty('hostRequirements')
  const messages = [user(1, 'Go.'), ...steps(2)]
  const turn = { sessionId, advancementKey: 't', messages }
  await expect(engine.commitTurn(turn)).rejects.toThrow('the disk is full')
  expect(records).toMatchObject([{ event: 'error', reason: 'the disk is full' }])
  expect((await engine.assemble({ sessionId, messages })).messages).toEqual(messages)
  isBroken = false
  expect(await engine.commitTurn(turn)).toEqual({ status: 'committed' })
  const view = await engine.assemble({ sessionId, messages: [user(9, 'And?')] })
  expect(view.messages).toHaveLength(messages.length + 1)
})

test('a sub-agent that has ended runs no more in its parent’s facts, and its report comes between turns', async () => {
  const { engine, port } = open()
  const childSessionKey = 'agent:main:subagent:1'
  const spawn = { type: 'toolCall', id: 'c1', name: 'sessions_spawn', arguments: { task: 'Look.' } }
  const result = JSON.stringify({ status: 'accepted', childSessionKey, runId: 'r1' })
  const asked = [
    user(1, 'Have it looked at.'),
    { role: 'assistant', content: [spawn], stopReason: 'toolUse', timestamp: 2 },
    {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'sessions_spawn',
      content: [{ type: 'text', text: result }],
      timestamp: 3,
    },
  ]
  const spawned = { parentSessionId: sessionId, childSessionId: 'child', childSessionKey }
  await engine.prepareSubagentSpawn({ contextMode: 'isolated', ...spawned })
  await engine.commitTurn({ sessionId, advancementKey: 'a', messages: asked })
  const state = async () =>
    (await (await port.session(sessionId)).facts()).background?.get(childSessionKey)?.state
  expect(await state()).toBe('running')
  const answer = [{ type: 'text', text: 'The harbor is called Elmwick.' }]
  const own = [user(4, 'Look.'), { role: 'assistant', content: answer, timestamp: 5 }]
  await engine.commitTurn({ sessionId: 'child', advancementKey: 'c', messages: own })
  const before = await engine.assemble({ sessionId, messages: asked })
  await engine.onSubagentEnded({ childSessionKey })
  expect((await engine.assemble({ sessionId, messages: asked })).messages).toEqual(before.messages)
  await engine.maintain({ sessionId })
  expect(await state()).toBe('delivered')
  const after = await engine.assemble({ sessionId, messages: asked })
  expect(after.messages.slice(0, -1)).toEqual(before.messages)
  expect(nativeText(after.messages.at(-1) ?? {})).toContain('The harbor is called Elmwick.')
})

const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }

test('pictures stay while they fit, also where the host shows them no more, and are named when they go', async () => {
  const { engine } = open()
  const shown = { type: 'text', text: 'Look at it.' }
  const call = { type: 'toolCall', id: 'c1', name: 'shot', arguments: {} }
  const asked = [
    { role: 'user', content: [shown, picture], timestamp: 1 },
    { role: 'assistant', content: [call], stopReason: 'toolUse', timestamp: 2 },
    { role: 'toolResult', toolCallId: 'c1', toolName: 'shot', content: [picture], timestamp: 3 },
    { role: 'assistant', content: [shown], stopReason: 'stop', timestamp: 4 },
  ]
  await engine.commitTurn({ sessionId, advancementKey: 'a', messages: asked })
  const next = user(9, 'And?')
  const { messages } = await engine.assemble({ sessionId, messages: [next] })
  expect(messages.map(({ content }) => content)).toEqual([
    [shown, picture],
    [call],
    [picture],
    [shown],
    'And?',
  ])
  // The host joins what was said with what is said now, and its picture with it.
  const joined = { role: 'user', content: [shown, picture, { type: 'text', text: 'On.' }] }
  const again = await engine.assemble({ sessionId, messages: [next, { ...joined, timestamp: 10 }] })
  expect(JSON.stringify(again.messages).split(picture.data)).toHaveLength(3)
  const album = Array.from({ length: 60 }, (_, index) => ({ ...asked[0], timestamp: index + 20 }))
  await engine.commitTurn({ sessionId, advancementKey: 'b', messages: [next, ...album] })
  const tight = { sessionId, messages: album.slice(-2), tokenBudget: 20_000 }
  const view = JSON.stringify((await engine.assemble(tight)).messages)
  expect(view).toContain('[Attached image/png]')
})

test('commands that the host answered are in no request', async () => {
  const { engine } = open()
  const answer = [{ type: 'text', text: 'Throughline is on.' }]
  const answered = { role: 'assistant', model: 'gateway-injected', content: answer, timestamp: 3 }
  const told = [user(1, 'Go.'), ...step(2), user(3, '/throughline status'), answered]
  const messages = [...told, user(4, '/throughline pin Ships are red.'), user(5, 'And?')]
  const view = await engine.assemble({ sessionId, messages })
  expect(view.messages).toEqual([...told.slice(0, 3), messages.at(-1)])
})
