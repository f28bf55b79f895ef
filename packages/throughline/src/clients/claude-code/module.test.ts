import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeClientSettings } from '../settings.ts'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { listOf, fieldsOf, nameOf, textOf } from '../../json/fields.ts'
import { compactedByModule, program, type Spawn } from '../../cli/testing/claude-engine.ts'
import { openCompaction, sessionWith } from './answer.ts'
import type { WrittenByModel } from './question.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-module-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const file = join(root, '.claude/projects/-w/s.jsonl')
mkdirSync(dirname(file), { recursive: true })
const session = claudeSession({ turns: 12, steps: 6 })
writeFileSync(file, session)

beforeAll(() => {
  vi.stubGlobal('THROUGHLINE', { node: 'node', program: 'program.js' })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

/** The messages of a transcript as Claude Code hands them to its hooks modules. */
const messages = session
  .trimEnd()
  .split('\n')
  .flatMap((line) => {
    const record = fieldsOf(JSON.parse(line)) ?? {}
    const content = fieldsOf(record['message'])?.['content']
    const role = record['type']
    if (role !== 'user' && role !== 'assistant') return []
    const blocks = listOf(content)
      .map(fieldsOf)
      .filter((block) => block !== undefined)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    return [
      {
        role,
        handle: nameOf(record['uuid']) ?? '',
        text: textOf(content) ?? blocks.map((block) => textOf(block['text']) ?? '').join(''),
        toolUses: blocks
          .filter(({ type }) => type === 'tool_use')
          .map(({ id, name, input }) => ({ tool_use_id: id, tool: name, input })),
        ...(results.length > 0 && {
          toolResults: results.map((block) => ({
            tool_use_id: block['tool_use_id'],
            text: JSON.stringify(block['content']),
            isError: false,
          })),
        }),
      },
    ]
  })

const question = {
  ask: 'compact' as const,
  session: 's',
  version: '2.1.330',
  directory: '/w',
  window: 100_000,
  handles: messages.map(({ handle }) => handle),
}

interface Message {
  role: string
  text: string
  handle?: string
  toolUses: { tool_use_id: string }[]
  toolResults?: { tool_use_id: string }[]
}

const env = { HOME: root, USERPROFILE: root, XDG_DATA_HOME: join(root, 'data') }
// What one compaction brought is nothing to the next: the same file is compacted again and again.
beforeEach(() => rmSync(join(root, 'data'), { recursive: true, force: true }))

async function compacted(
  next: (event: { instructions?: string }) => Promise<unknown>,
  {
    event = {},
    ...how
  }: {
    event?: object
    spawn?: Spawn
    sleep?: Sleep
    lines?: string[]
    meanwhile?: () => void
  } = {},
) {
  return compactedByModule({ messages, ...event }, next, { env, ...how })
}

type Sleep = (ms: number) => Promise<unknown>

/** What code alone makes of the messages of a file. */
async function madeOf(file: string, own?: WrittenByModel, handles = question.handles) {
  const read = await sessionWith(file, { ...question, handles })
  const done = await openCompaction(read ?? fail(), question).made(own)
  if ('aside' in done) throw new Error(done.aside)
  return done.answer
}

function fail(): never {
  throw new Error('its messages are not there')
}

/** A program that prints this and ends. */
function printing(...texts: string[]): Spawn {
  return async function* () {
    for (const text of texts) yield { stream: 'stdout', text }
  }
}

const asking = { instructions: 'Keep it.', patience: 1, give: join(root, 'given.json') }

const theirs = { messages: [{ role: 'user', text: 'theirs', toolUses: [] }] }

describe('the hooks module of Claude Code', () => {
  it('reads a session before its compaction is due, and then only what is new', async () => {
    const next = async () => ({ skip: 'it is down' })
    const usual = await compacted(next)
    const asked: string[] = []
    const early = session.slice(0, session.indexOf('\n', session.length * 0.8) + 1)
    writeFileSync(file, early)
    const spawn: Spawn = (started) => {
      asked.push(textOf(fieldsOf(JSON.parse(started.input))?.['ask']) ?? '')
      return program(started, env)
    }
    const ahead = await compacted(next, { spawn, meanwhile: () => writeFileSync(file, session) })
    expect(ahead).toEqual(usual)
    expect(asked).toEqual(['start', 'ahead'])
  })

  it('leaves the compaction to the client once it is switched off, though the session is read already', async () => {
    const asked: string[] = []
    const spawn: Spawn = (started) => {
      asked.push(textOf(fieldsOf(JSON.parse(started.input))?.['ask']) ?? '')
      return program(started, env)
    }
    const meanwhile = (): void => changeClientSettings('claude-code', env, { off: true })
    try {
      expect(await compacted(async () => theirs, { spawn, meanwhile })).toEqual(theirs)
    } finally {
      changeClientSettings('claude-code', env, { off: false })
    }
    expect(asked).toEqual(['start', 'ahead'])
  })

  it('starts a new program where the one that has read ahead has ended', async () => {
    const asked: string[] = []
    const spawn: Spawn = (started) => {
      const ask = textOf(fieldsOf(JSON.parse(started.input))?.['ask']) ?? ''
      asked.push(ask)
      if (ask !== 'ahead') return program(started, env)
      return printing(`${JSON.stringify({ question: join(root, 'question.json') })}\n`)(started)
    }
    const next = async () => ({ skip: 'it is down' })
    const answer = await compacted(next, { spawn, meanwhile: () => {} })
    expect(answer).toEqual(await compacted(next))
    expect(asked).toEqual(['start', 'ahead', 'compact'])
  })

  it('tells the person in one line what was done, and nothing where the client compacted', async () => {
    const lines: string[] = []
    await compacted(async () => ({ skip: 'it is down' }), { lines })
    expect(lines).toEqual([
      expect.stringMatching(
        /^[\d.]+k → [\d.]+k tokens; \d+ rules? and \d+ changed files? kept\. Code wrote the summary \(it gave no summary: it is down\)\. \/throughline show says what\.$/,
      ),
    ])
    await compacted(async () => theirs, { lines, spawn: printing('null\n') })
    expect(lines).toHaveLength(1)
  })

  it('asks the client’s model with what must stand there, and repairs what it wrote', async () => {
    let told = ''
    const body =
      'The work is about made/up.ts, and the next step is to run the tests again. '.repeat(80)
    const result = (await compacted(async ({ instructions = '' }) => {
      told = instructions
      const text = `This session is being continued.\nSummary:\n1. Primary Request and Intent:\n   ${body}`
      return { messages: [{ role: 'user', text, toolUses: [] }] }
    })) as { messages: Message[]; tokensAfter: number; tokensBefore: number }
    expect(told).toContain('Never touch config/prod.ts.')
    const [summary, ...kept] = result.messages
    expect(summary?.text).toMatch(
      /^<prior-conversation-summary>\n## Goal\nThe work is about made\/up\.ts \(not seen/,
    )
    expect(summary?.text).toContain('- Never touch config/prod.ts.')
    expect(result.tokensAfter).toBeLessThan(result.tokensBefore / 2)
    // A message with a handle keeps its parent before the boundary: a resume would undo all.
    expect(result.messages.filter(({ handle }) => handle !== undefined)).toEqual([])
    const calls = kept.flatMap(({ toolUses }) => toolUses.map((use) => use.tool_use_id))
    const results = kept.flatMap(({ toolResults = [] }) =>
      toolResults.map((one) => one.tool_use_id),
    )
    expect(calls.length).toBeGreaterThan(0)
    expect(results.toSorted()).toEqual(calls.toSorted())
  })

  it('leaves hardly more behind than the client would, and the newest step as whole', async () => {
    const read = messages.slice(0, -3)
    const cut = join(root, 'reads.jsonl')
    writeFileSync(cut, session.split('\n').slice(0, -4).join('\n') + '\n')
    const newest = read.slice(-2)
    const summary = 'The work is about the parser, and the next step is to run the tests again. '
    const written = { summary: summary.repeat(20), tail: JSON.stringify(newest), waited: 0 }
    const answer = await madeOf(
      cut,
      written,
      read.map(({ handle }) => handle),
    )
    const kept = JSON.stringify(answer.kept)
    const theirs = written.summary.length + written.tail.length
    expect(kept.length - theirs).toBeLessThan((JSON.stringify(read).length - theirs) * 0.1)
    const printed = newest.flatMap(({ toolResults = [] }) => toolResults.map(({ text }) => text))
    expect(kept).toContain(printed.join().slice(20, -20))
  })

  it.each([
    ['fails', () => Promise.reject(new Error('no'))],
    ['is skipped', async () => ({ skip: 'blocked' })],
    ['writes nothing', async () => ({ messages: [{ role: 'user', text: '', toolUses: [] }] })],
  ])('lets code write the summary where the model %s', async (_, next) => {
    const result = (await compacted(next)) as { messages: Message[] }
    expect(result.messages[0]?.text).toMatch(/^<prior-conversation-summary>\n## Goal\n/)
    expect(result.messages[0]?.text).toContain('- Never touch config/prod.ts.')
  })

  it('takes for the model’s words nothing that the client says around them', async () => {
    const around =
      'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n<system-reminder>\n<tools-used-before-summary>Bash, Read, Write</tools-used-before-summary>\n</system-reminder>\n'
    const saying = async (words: string) => {
      const text = `${around}${words}`
      const result = (await compacted(async () => ({
        messages: [{ role: 'user', text, toolUses: [] }],
      }))) as { messages: Message[] }
      return result.messages[0]?.text
    }
    const good = 'The work goes on in the parser, whose tests are next. '.repeat(20)
    expect(await saying(good)).toContain('whose tests are next')
    expect(await saying(good)).not.toMatch(/being continued|tools-used-before-summary/)
    // So few words are no summary.
    expect(await saying('I read a file first.')).not.toContain('I read a file first.')
  })

  it('waits for the model no longer than the user has said', async () => {
    const patience = 5_000
    changeClientSettings('claude-code', env, { patience })
    const sleep = async (ms: number) => (ms === patience ? undefined : new Promise(() => {}))
    const result = (await compacted(() => new Promise(() => {}), { sleep })) as {
      messages: Message[]
    }
    expect(result.messages[0]?.text).toMatch(/^<prior-conversation-summary>\n## Goal\n/)
  })

  it.each([
    ['the program cannot be started', { spawn: () => fail() }],
    ['the program fails', { spawn: printing() }],
    ['it says what is no JSON', { spawn: printing('x\n') }],
    ['it ends in the midst of a word', { spawn: printing('{') }],
    ['it ends while the model writes', { spawn: printing(`${JSON.stringify(asking)}\n`) }],
    ['a subagent compacts', { event: { agentId: 'a' } }],
    [
      'its file holds other messages',
      { event: { messages: [{ role: 'user', text: 'x', toolUses: [], handle: 'other' }] } },
    ],
  ])('leaves the compaction to the client, and asks it once, where %s', async (_, how) => {
    let asked = 0
    const result = await compacted(async () => {
      asked += 1
      return theirs
    }, how as never)
    expect(result).toBe(theirs)
    expect(asked).toBe(1)
  })
})

describe('the sizes of a compaction in Claude Code', () => {
  it('are those of whole requests, as its records count them', async () => {
    const besides = 20_000
    let said = 0
    const counted = session
      .trimEnd()
      .split('\n')
      .map((line) => {
        const record = fieldsOf(JSON.parse(line)) ?? {}
        const message = fieldsOf(record['message']) ?? {}
        const input_tokens = besides + Math.ceil(said / 4)
        said += JSON.stringify(message['content']).length
        if (record['type'] !== 'assistant') return line
        const usage = { input_tokens, output_tokens: 10 }
        return JSON.stringify({ ...record, message: { ...message, usage } })
      })
    const own = join(root, 'counted.jsonl')
    writeFileSync(own, `${counted.join('\n')}\n`)
    const [bare, whole] = [await madeOf(file), await madeOf(own)]
    const most = besides + said / 4
    expect(whole.before).toBeGreaterThan(most * 0.9)
    expect(whole.before).toBeLessThan(most * 1.1)
    expect(whole.after - bare.after).toBeGreaterThan(besides * 0.9)
    expect(whole.after - bare.after).toBeLessThan(besides * 1.1)
  })
})
