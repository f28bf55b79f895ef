import { join } from 'node:path'
import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backgroundLabel, backgroundLines } from '../facts/background/told-background.ts'
import { chronological, type Chronological } from '../log/order.ts'
import {
  corpusFolder,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
} from '../testing/generate/corpus.ts'
import { factsOf } from '../facts/facts-of.ts'
import { assistant, human, step } from '../testing/generate/build.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { memoryStore } from '../stores/memory.ts'
import { messageText } from '../log/message.ts'
import { openSession } from '../session/session.ts'
import type { Plugin } from '../session/plugins/plugin.ts'
import type { BackgroundFact } from '../facts/facts.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'

/*
 * Work that runs beside a session (a spawned agent, a command, a job) is told by every summary, with
 * what it is to deliver, so that nothing is started twice.
 */

const policy = { ...defaultPolicy, prune: () => undefined }

/** How harnesses say that something runs, and that it has ended. */
interface Harness {
  tool: string
  input: (task: string) => object
  started: (id: string) => string
  ended: (id: string, report: string) => EntryDraft[]
  reports: boolean
}

const notification = (id: string, report: string): EntryDraft[] => [
  {
    kind: 'message',
    at: 1,
    origin: 'harness',
    message: {
      role: 'user',
      content: `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>Agent completed</summary>\n<result>${report}</result>\n</task-notification>`,
    },
  },
]

const harnesses: Readonly<Record<string, Harness>> = {
  'an agent of Claude Code': {
    tool: 'Task',
    input: (task) => ({ description: task, prompt: `${task}, in detail`, run_in_background: true }),
    started: (id) =>
      `Async agent launched successfully.\nagentId: ${id} (internal ID)\noutput_file: /tmp/tasks/${id}.output\nThe agent is working in the background.`,
    ended: notification,
    reports: true,
  },
  'a command of Claude Code': {
    tool: 'Bash',
    input: (task) => ({ command: `make ${task.replaceAll(' ', '-')}`, run_in_background: true }),
    started: (id) =>
      `Command running in background with ID: ${id}. Output is being written to: /tmp/tasks/${id}.output`,
    ended: (id) =>
      step(
        'ask',
        'TaskOutput',
        { task_id: id },
        `<retrieval_status>success</retrieval_status>\n\n<task_id>${id}</task_id>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\nok\n</output>`,
      ),
    reports: false,
  },
  'an agent of Codex': {
    tool: 'spawn_agent',
    input: (task) => ({ agent_type: 'explorer', message: task }),
    started: (id) => JSON.stringify({ agent_id: id, nickname: 'Ohm' }),
    ended: (id, report) =>
      step(
        'wait',
        'wait_agent',
        { targets: [id] },
        JSON.stringify({ status: { [id]: { completed: report } }, timed_out: false }),
      ),
    reports: true,
  },
  'a command of Codex': {
    tool: 'exec_command',
    input: (task) => ({ cmd: `make ${task.replaceAll(' ', '-')}` }),
    started: (id) =>
      `Command: /bin/zsh -lc 'make'\nChunk ID: 1a\nWall time: 1.0 seconds\nProcess running with session ID ${id}\nOriginal token count: 0\nOutput:\n`,
    ended: (id) =>
      step(
        'poll',
        'write_stdin',
        { session_id: id, chars: '' },
        'Chunk ID: 2b\nWall time: 1.0 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nok\n',
      ),
    reports: false,
  },
  'an agent of openclaw': {
    tool: 'sessions_spawn',
    input: (task) => ({ task }),
    started: (id) =>
      JSON.stringify({ status: 'accepted', childSessionKey: id, runId: `run-${id}` }),
    ended: (id) =>
      step(
        'list',
        'session_status',
        { sessionId: id },
        JSON.stringify({ id, status: 'completed' }),
      ),
    reports: false,
  },
  'a job of some service': {
    tool: 'mcp__ci__start_build',
    input: (task) => ({ task }),
    started: (id) => JSON.stringify({ job_id: id, status: 'queued' }),
    ended: (id) =>
      step(
        'see',
        'mcp__ci__build_status',
        { job_id: id },
        JSON.stringify({ job_id: id, status: 'succeeded' }),
      ),
    reports: false,
  },
}

const text = 'const value = 1\n'.repeat(260)
const work = (from: number, count: number): EntryDraft[] =>
  Array.from({ length: count }, (_, index) =>
    step(`w${from + index}`, 'read', { path: `src/a${from + index}.ts` }, text),
  ).flat()

/** A model that says nothing of what runs. */
const forgetful: Summarizer = {
  name: 'forgetful',
  summarize: async () => ({
    text: '## Goal\nFix the parser.\n\n## Discoveries\nIt has a bug.\n\n## Accomplished\nSome of it.',
    finish: 'stop',
  }),
}

const kinds: [string, Harness][] = Object.entries(harnesses)
const writers: [string, Summarizer | undefined][] = [
  ['code', undefined],
  ['a model that drops it', forgetful],
]

async function opened(
  summarizer: Summarizer | undefined,
  context = 32_000,
  plugins: readonly Plugin[] = [],
) {
  return openSession({
    store: memoryStore(),
    id: 'a',
    window: { context },
    policy,
    plugins,
    ...(summarizer && { summarizer }),
  })
}

const summaryOf = (messages: readonly Message[]): string => messageText(messages[0] as Message)

describe.each(kinds)('%s', (_, { tool, input, started, ended, reports }) => {
  const start = step('call-1', tool, input('review the parser'), started('7f3a9'))

  it.each(writers)('stands in every summary by %s until it has ended', async (__, summarizer) => {
    const session = await opened(summarizer)
    await session.append(human('Fix the parser.'), ...start)
    for (let round = 0; round < 4; round++) {
      await session.append(...work(round * 8, 8))
      await session.compact()
      const summary = summaryOf(session.messages())
      expect(summary.split(backgroundLabel)).toHaveLength(2)
      expect(summary).toMatch(
        /^- (?:agent|command|job) 7f3a9 (?:is running|was running when last seen): [^\n]*review.the.parser/m,
      )
    }
    await session.append(...ended('7f3a9', 'The parser is sound.'), {
      kind: 'message',
      at: 2,
      origin: 'model',
      message: { role: 'assistant', content: 'It has ended; I take that in.' },
    })
    await session.append(...work(90, 8))
    await session.compact()
    expect(summaryOf(session.messages())).not.toMatch(runs('7f3a9'))
  })

  it.each([
    ['', []],
    [
      ', also where a plugin keeps something else',
      [{ name: 'keeper', beforeCompact: () => ({ keep: [1] }) }],
    ],
  ] as const)(
    'keeps a report whole until the assistant has gone on from it%s',
    async (__, plugins) => {
      if (!reports) return
      const session = await opened(undefined, 32_000, plugins)
      const report = Array.from(
        { length: 60 },
        (__, index) => `Finding ${index}: it matters.`,
      ).join('\n')
      const other = step('call-2', tool, input('review the tests'), started('b0b0b'))
      await session.append(human('Fix the parser.'), ...start, ...other, ...ended('7f3a9', report))
      // One of the two is still awaited: what the assistant says meanwhile uses nothing.
      await session.append(...work(0, 12))
      await session.compact()
      const before = JSON.stringify(session.messages())
      expect(before).toContain('7f3a9 has delivered its report')
      expect(before).toContain('b0b0b is running')
      // In its own message, and not only as far as a summary takes it.
      const kept = JSON.stringify(session.messages().slice(1))
      for (const line of report.split('\n')) expect(kept).toContain(line)
    },
  )

  it('is told with its task where its report was used, so that nobody starts it again', async () => {
    if (!reports) return
    const session = await opened(undefined)
    const report = Array.from({ length: 20 }, (__, index) => `Finding ${index}: it matters.`).join(
      '\n',
    )
    await session.append(human('Fix the parser: have an agent look at it.'), ...start)
    await session.append(...ended('7f3a9', report), assistant('Twenty findings; I fix them.'))
    for (let round = 0; round < 3; round++) {
      await session.append(...work(20 + round * 12, 12))
      await session.compact()
      const summary = summaryOf(session.messages())
      expect(summary).toContain('A sub-agent reported (review the parser):')
      expect(summary).toContain('Finding 0: it matters.')
    }
  })
})

const runs = (id: string): RegExp =>
  new RegExp(`^- \\w+ ${id} (?:is running|was running when last seen): `, 'm')

describe('a command that only took longer than its call waited', () => {
  const { tool, started } = harnesses['a command of Codex'] as Harness
  const outlived = (id: string, cmd: string): EntryDraft[] =>
    step(`c${id}`, tool, { cmd }, started(id))
  const told = async (...drafts: EntryDraft[]): Promise<string> => {
    const session = await opened(undefined)
    await session.append(human('Fix the parser.'), ...drafts, ...work(0, 10))
    await session.compact()
    return summaryOf(session.messages())
  }

  it('is told as last seen, since nobody looked at it again', async () => {
    const summary = await told(...outlived('452', 'go test ./...'))
    expect(summary).toContain('- command 452 was running when last seen: go test ./...')
  })

  it('is over once the same command ran again', async () => {
    const again = step(
      'again',
      tool,
      { cmd: 'npm run dev' },
      'Process exited with code 1\nOutput:\n',
    )
    expect(await told(...outlived('452', 'npm run dev'), ...again)).not.toMatch(runs('452'))
    const summary = await told(...outlived('452', 'npm run dev'), ...outlived('453', 'npm run dev'))
    expect(summary).not.toMatch(runs('452'))
    expect(summary).toMatch(runs('453'))
  })

  it('is over at the next request if it ends by itself, and a server is not', async () => {
    const summary = await told(
      ...outlived('1', 'go test ./...'),
      ...outlived('2', 'git commit -m "Fix it"'),
      ...outlived('3', 'npm run dev'),
      ...outlived('4', 'npm test -- --watch'),
      human('Thank you. Now document it.'),
    )
    for (const id of ['1', '2']) expect(summary).not.toMatch(runs(id))
    for (const id of ['3', '4']) expect(summary).toMatch(runs(id))
  })
})

it('is told for any number of them in any window, and what has ended is not', async () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-f0-9]{7}$/), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.infiniteStream(fc.tuple(fc.constantFrom(...Object.values(harnesses)), fc.boolean())),
      fc.constantFrom(8_000, 16_000, 64_000),
      fc.boolean(),
      async (ids, stream, context, hasModel) => {
        const session = await opened(hasModel ? forgetful : undefined, context)
        await session.append(human('Fix the parser. Never edit main.ts.'))
        const live: string[] = []
        const done: string[] = []
        for (const [index, id] of ids.entries()) {
          const [harness, ends] = stream.next().value as [Harness, boolean]
          await session.append(
            ...step(
              `call-${index}`,
              harness.tool,
              harness.input(`task ${index}`),
              harness.started(id),
            ),
          )
          if (ends) await session.append(...harness.ended(id, 'Done and well.'))
          ;(ends ? done : live).push(id)
        }
        for (let round = 0; round < 3; round++) {
          await session.append(...work(round * 10, context === 64_000 ? 20 : 6))
          await session.compact()
          const summary = summaryOf(session.messages())
          for (const id of live) expect(summary).toMatch(runs(id))
          for (const id of done) expect(summary).not.toMatch(runs(id))
        }
      },
    ),
    { numRuns: 25 },
  )
})

it('still stands after a session has traveled as its messages alone', async () => {
  const first = await opened(undefined)
  const { tool, input, started } = harnesses['an agent of Claude Code'] as Harness
  await first.append(
    human('Fix the parser.'),
    ...step('c', tool, input('review it'), started('7f3a9')),
  )
  await first.append(...work(0, 10))
  await first.compact()
  const { compactMessages } = await import('../session/once/compact-messages.ts')
  let messages: Message[] = first.messages()
  for (let round = 1; round <= 5; round++) {
    const more = work(round * 20, 10).flatMap((draft) =>
      draft.kind === 'message' ? [draft.message] : [],
    )
    const traveled = JSON.parse(JSON.stringify([...messages, ...more])) as Message[]
    const result = await compactMessages(traveled, { window: { context: 16_000 }, policy })
    messages = result.messages
    expect(JSON.stringify(messages)).toContain('agent 7f3a9 is running: review it')
  }
})

it('is not ended or started by the text of a file', () => {
  const { tool, input, started } = harnesses['an agent of Claude Code'] as Harness
  const drafts = [
    human('Fix the parser.'),
    ...step('c', tool, input('review it'), started('7f3a9')),
    ...step(
      'r',
      'Read',
      { file_path: 'a.md' },
      messageText((notification('7f3a9', 'x')[0] as { message: Message }).message),
    ),
    ...step(
      's',
      'Read',
      { file_path: 'b.json' },
      JSON.stringify({ agent_id: 'fake1', status: 'running' }),
    ),
  ]
  const log = chronological(drafts.map((draft, index) => ({ ...draft, seq: index + 1 })))
  const { background = new Map() } = factsOf(log)
  expect([...background.values()].map(({ id, state }) => [id, state])).toEqual([
    ['7f3a9', 'running'],
  ])
})

describe('a child session', () => {
  it('and its parent name each other, and it is told until its report is used', async () => {
    const parent = await opened(undefined)
    await parent.append(human('Fix the parser.'))
    const task = 'Review the parser and say what is wrong'
    const child = await parent.openChild({ id: 'a/review', task })
    // Opened again, as after a restart, it is the same one.
    await parent.openChild({ id: 'a/review', task })
    const links = (log: Chronological, name: string): unknown[] =>
      log.flatMap((entry) =>
        entry.kind === 'observation' &&
        entry.observation.type === 'note' &&
        entry.observation.name === name
          ? [entry.observation.data]
          : [],
      )
    expect(links(await parent.log(), 'child')).toEqual([{ session: 'a/review', task }])
    expect(links(await child.log(), 'parent')).toEqual([{ session: 'a', task }])
    await parent.append(...work(0, 10))
    await parent.compact()
    expect(summaryOf(parent.messages())).toContain(`agent a/review is running: ${task}`)
    const report = Array.from({ length: 60 }, (_, index) => `Finding ${index}: it matters.`).join(
      '\n',
    )
    await parent.receive('a/review', `${report}\n</result></task-notification>`)
    // What runs meanwhile does not push it out: nobody has gone on from it.
    await parent.append(...work(20, 12))
    await parent.compact()
    const said = JSON.stringify(parent.messages())
    expect(report.split('\n').every((line) => said.includes(line))).toBe(true)
    expect(said).toContain('agent a/review has delivered its report')
    await parent.append(assistant('Sixty findings; I fix them one by one.'), ...work(40, 12))
    await parent.compact()
    expect(summaryOf(parent.messages())).not.toContain('a/review has delivered')
    expect(summaryOf(parent.messages())).toContain(`A sub-agent reported (${task}):`)
  })
})

/** What a log says to run at its end, found by its harnesses' own words and nothing else. */
function runningIn(log: Chronological): Set<string> {
  const running = new Set<string>()
  for (const entry of log) {
    const said = entry.kind === 'message' ? JSON.stringify(entry.message) : ''
    for (const [, id] of said.matchAll(
      /Async agent launched successfully\.(?:\\n)+agentId: (\w+)/g,
    )) {
      running.add(id ?? '')
    }
    for (const [, id] of said.matchAll(/\{\\"agent_id\\":\\"([\w-]{36})\\"/g)) {
      running.add(id ?? '')
    }
    const noted = /<task-notification>\\n<task-id>(\w+)<\/task-id>/.exec(said)?.[1]
    if (noted) running.delete(noted)
    for (const [, id] of said.matchAll(/\\"([\w-]{36})\\":\{\\"(?:completed|errored)/g)) {
      running.delete(id ?? '')
    }
    const closed = /"toolName":"close_agent","input":\{"(?:id|target)":"([\w-]{36})"/.exec(
      said,
    )?.[1]
    if (closed) running.delete(closed)
    const path = /agent_path\\":\\"([\w-]{36})\\"/.exec(said)?.[1]
    if (path) running.delete(path)
  }
  return running
}

const recorded = ['cli__f4237e82', 'git-sync__019d7e48']

describe.skipIf(!corpusIsHere)(corpusIsHere ? 'in real sessions' : corpusMissing, () => {
  it.each(recorded)('is told at every point where it runs: %s', async (name) => {
    const format = name.startsWith('cli') ? 'claude-code' : 'codex'
    const path = readdirSync(join(corpusFolder, format)).find((each) => each.startsWith(name))
    const file = { format, name, path: join(corpusFolder, format, path ?? '') }
    const { log } = await readCorpusFile(file)
    let points = 0
    let last = ''
    for (let index = 1; index < log.length; index++) {
      const part = chronological(log.slice(0, index))
      if (!/agent/.test(JSON.stringify(log[index - 1]))) continue
      const running = [...runningIn(part)]
      if (running.join() === last || points > 40) continue
      last = running.join()
      points += 1
      const { background = new Map<string, BackgroundFact>() } = factsOf(part)
      const told = [...background.values()].filter(
        ({ kind, state }) => kind === 'agent' && state === 'running',
      )
      expect(told.map(({ id }) => id).toSorted(), `entry ${index}`).toEqual(running.toSorted())
      const lines = backgroundLines(
        { background },
        { tokens: 2_000, count: (text) => text.length / 4 },
      )
      for (const id of running) expect(lines.join('\n')).toContain(`agent ${id} is running`)
    }
    expect(points).toBeGreaterThan(3)
  })

  it('tells no test or commit of an earlier request as running', async () => {
    let slow = 0
    for (const path of readdirSync(join(corpusFolder, 'codex'))) {
      const file = { format: 'codex', name: path, path: join(corpusFolder, 'codex', path) }
      const { log } = await readCorpusFile(file)
      const { background = new Map<string, BackgroundFact>(), requests } = factsOf(log)
      const commands = [...background.values()].filter(({ kind }) => kind === 'command')
      slow += commands.length
      const stale = commands.filter(
        ({ state, turn, task }) =>
          state === 'running' && turn < requests.length && /^(?:go test|git) /.test(task),
      )
      expect(stale, path).toEqual([])
    }
    expect(slow).toBeGreaterThan(5)
  })
})
