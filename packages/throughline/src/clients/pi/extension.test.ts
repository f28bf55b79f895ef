import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { extend } from './plugin.ts'
import { fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { readClientRecords } from '../record.ts'
import type { AgentTool } from '../agent-tools.ts'
import type { PiApi, PiEntry } from './api.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-pi-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0

interface Registered extends Pick<AgentTool, 'name'> {
  execute: (...all: unknown[]) => Promise<{ content: unknown }>
}

/** A session of pi, which outlives its processes. */
function host(more: object = {}) {
  const env = { XDG_DATA_HOME: join(root, `${folders++}`), THROUGHLINE_LOCAL: '1', ...more }
  const entries: PiEntry[] = []
  const early: string[] = []
  const lines: string[] = []
  let asked = 0
  let timestamp = '2026-01-01T00:00:00.000Z'
  let refuses = false
  const add = (entry: PiEntry): void => {
    const id = `e${entries.length}`
    const parentId = entries.at(-1)?.['id'] ?? null
    entries.push({ id, parentId, timestamp, ...entry })
  }
  const said = (role: string, content: unknown, more: object = {}): void =>
    add({
      type: 'message',
      message: { role, content, timestamp: Date.parse(timestamp), ...more },
    })

  /** One process. */
  function started(mode = 'tui') {
    const tools = new Map<string, Registered>()
    const handlers = new Map<string, (event: unknown, context: unknown) => Promise<unknown>>()
    const api = {
      on: (event: string, handler: never) => handlers.set(event, handler),
      registerTool: (tool: Registered) => tools.set(tool.name, tool),
      registerCommand: () => {},
      sendMessage: () => {},
    }
    extend(api as unknown as PiApi, env as never)
    const context = {
      cwd: '/work',
      model: { id: 'm', contextWindow: 40_000, maxTokens: 4_000 },
      sessionManager: { getSessionId: () => 'pi-1', getBranch: () => entries },
      modelRegistry: {
        complete: async () => {
          asked += 1
          return {}
        },
      },
      mode,
      ui: { notify: (line: string) => lines.push(line) },
      getSystemPrompt: () => 'You are pi.',
      isIdle: () => true,
      compact: ({
        onComplete,
        onError,
      }: Record<'onComplete' | 'onError', (error?: Error) => void>) =>
        void (async () => {
          const answer = fieldsOf(await compacted('manual'))
          const compaction = refuses ? undefined : fieldsOf(answer?.['compaction'])
          early.push(
            compaction ? 'compacted' : answer?.['cancel'] === true ? 'cancelled' : 'refused',
          )
          if (!compaction) return onError(new Error('Nothing to compact'))
          add({ type: 'compaction', ...compaction, fromHook: true })
          onComplete()
        })(),
    }
    const compacted = (reason: string): Promise<unknown> => {
      const preparation = { firstKeptEntryId: 'e0', tokensBefore: 30_000 }
      return tell('session_before_compact', { preparation, branchEntries: entries, reason })
    }
    const tell = async (event: string, about: object = {}): Promise<unknown> =>
      handlers.get(event)?.(about, context)
    return {
      tell,
      /** The end of a step; whether the extension compacts there. */
      async ends(): Promise<boolean> {
        const answer = fieldsOf(await tell('turn_end'))
        const drafts = objectsOf(answer?.['entries'])
        drafts.forEach(add)
        return drafts.some(({ type }) => type === 'compaction')
      },
      async request(): Promise<string> {
        const messages = entries.map((entry) => entry['message'])
        const answer = fieldsOf(await tell('context', { messages }))
        return JSON.stringify(answer?.['messages'] ?? messages)
      },
      async compact(reason = 'threshold'): Promise<string> {
        const answer = fieldsOf(await compacted(reason))
        const compaction = fieldsOf(answer?.['compaction']) ?? {}
        add({ type: 'compaction', ...compaction, fromHook: true })
        return textOf(compaction['summary']) ?? ''
      },
    }
  }

  return {
    env,
    started,
    /** How often its model was asked for a summary. */
    asked: () => asked,
    /** What came of the compactions that the extension asked for. */
    early,
    /** What a person has seen. */
    lines,
    answersNow: () => (timestamp = new Date().toISOString()),
    refuses: () => (refuses = true),
    /** It gives to extensions what it gave to none before. */
    changes: () => entries.push(null as never),
    human: (text: string) => said('user', [{ type: 'text', text }]),
    refused: (errorMessage: string) => said('assistant', [], { stopReason: 'error', errorMessage }),
    works(from: number, to: number) {
      for (let step = from; step < to; step++) {
        const text = Array.from({ length: 100 }, (_, at) => `Step ${step} says ${at * step}.`)
        const read = {
          type: 'toolCall',
          id: `c${step}`,
          name: 'read',
          arguments: { path: `${step}` },
        }
        said('assistant', [{ type: 'text', text: text.join(' ') }, read], { stopReason: 'toolUse' })
        const output = [{ type: 'text', text: text.join('\n') }]
        said('toolResult', output, { toolCallId: `c${step}`, toolName: 'read', isError: false })
      }
    },
  }
}

describe('in pi', () => {
  test.each([
    ['tui', true],
    ['rpc', true],
    ['print', false],
    ['json', false],
  ])('a summary is asked for ahead only where the process goes on: %s', async (mode, isAhead) => {
    const { started, human, works, asked } = host({ THROUGHLINE_LOCAL: '' })
    human('Read all the notes. Never write a file.')
    const process = started(mode)
    await process.tell('session_start')
    for (let step = 0; step < 30; step++) {
      works(step, step + 1)
      await process.tell('context')
      await process.ends()
    }
    // It is asked beside the agent, whenever there is time.
    if (isAhead) await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(0)
    else expect(asked()).toBe(0)
  })

  test('a person sees what was done once pi has drawn its compaction', async () => {
    const { started, human, works, lines } = host()
    human('Read all the notes. Never write a file.')
    const process = started()
    await process.tell('session_start')
    works(0, 20)
    await process.tell('context')
    await process.compact()
    await process.tell('session_compact', { fromExtension: true })
    expect(lines).toEqual([])
    await expect
      .poll(() => lines)
      .toEqual([expect.stringMatching(/^Throughline: [\d.]+k → [\d.]+k tokens; 1 rule and /)])
  })

  test('what an earlier process has compacted is known as ours, and both requests stand', async () => {
    const { env, started, human, works } = host()
    human('Read all the notes. Never write a file.')
    const first = started()
    await first.tell('session_start')
    works(0, 20)
    await first.tell('context')
    expect(await first.compact()).toContain('Read all the notes. Never write a file.')
    await first.tell('session_shutdown')

    human('Go on with the rest of them.')
    const second = started()
    await second.tell('session_start')
    works(20, 40)
    await second.tell('context')
    const summary = await second.compact()
    expect(summary.split('[The user said:]\n').slice(1)).toEqual([
      expect.stringMatching(/^Read all the notes\. Never write a file\./),
      expect.stringMatching(/^Go on with the rest of them\./),
    ])
    expect(summary).not.toContain('&lt;prior-conversation-summary>')
    expect(summary).toContain('- Never write a file.')
    expect(readClientRecords('pi', env).map(({ event }) => event)).toEqual([
      'start',
      'compaction',
      'start',
      'compaction',
    ])
  })

  test('one refusal is enough: the limit that it names holds from then on, in other processes too', async () => {
    const { env, started, human, works, refused } = host()
    human('Read all the notes. Never write a file.')
    const first = started()
    await first.tell('session_start')
    works(0, 9)
    await first.request()
    expect(await first.ends()).toBe(false)
    refused('400 prompt is too long: 12001 tokens > 12000 maximum')
    expect(await first.compact('overflow')).toContain('Never write a file.')
    works(9, 10)
    expect(await first.ends()).toBe(false)
    works(10, 18)
    expect(await first.ends()).toBe(true)
    expect(await first.ends()).toBe(false)
    await first.tell('session_shutdown')

    const second = started()
    await second.tell('session_start')
    expect(await second.ends()).toBe(false)
    works(18, 27)
    expect(await second.ends()).toBe(true)
    expect(await second.request()).toContain('Never write a file.')
    const done = readClientRecords('pi', env).filter(({ event }) => event === 'compaction')
    expect(done.map(({ after = Infinity }) => after < 9_000)).toEqual([true, true, true])
  })

  test('what is due soon is compacted before a request that finds the cache cold', async () => {
    const { started, human, works, early, env } = host()
    human('Read all the notes.')
    const process = started()
    await process.tell('session_start')
    works(0, 5)
    await process.tell('input')
    expect(early).toEqual([])
    works(5, 20)
    await process.request()
    await process.tell('input')
    expect(early).toEqual(['compacted'])
    await process.tell('input')
    expect(early).toEqual(['compacted'])
    const [, done] = readClientRecords('pi', env)
    expect(done).toMatchObject({ event: 'compaction', by: 'local', early: 'gap' })
    expect(done?.after).toBeLessThan((done?.before ?? 0) / 2)
  })

  test('nothing is compacted early while the cache is warm, and where pi refuses, once', async () => {
    const { started, human, works, early, answersNow, env } = host()
    human('Read all the notes.')
    works(0, 19)
    answersNow()
    works(19, 20)
    const warm = started()
    await warm.tell('session_start')
    await warm.tell('context')
    await warm.tell('input')
    expect(early).toEqual([])

    const other = host()
    other.human('Read all the notes.')
    other.works(0, 20)
    other.refuses()
    const cold = other.started()
    await cold.tell('session_start')
    for (let time = 0; time < 3; time++) await cold.tell('input')
    expect(other.early).toEqual(['refused'])
    expect(readClientRecords('pi', env).map(({ event }) => event)).toEqual(['start'])
  })

  test('it steps aside for good when it fails again and again, and says so once', async () => {
    const { env, started, human, changes } = host()
    human('Read all the notes.')
    changes()
    const { tell } = started()
    await tell('session_start')
    for (let round = 0; round < 6; round++) expect(await tell('context')).toBeUndefined()
    expect(readClientRecords('pi', env).map(({ event }) => event)).toEqual([
      'start',
      'error',
      'error',
      'error',
      'step-aside',
    ])
  })
})
