import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { listOf, fieldsOf, nameOf, textOf } from '../../json/fields.ts'
import { compactAnswer, instructionsAnswer } from './answer.ts'
import { writtenFor } from './written.ts'
import { register } from './module.ts'
import type { ModuleQuestion } from './question.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-module-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const file = join(root, 's.jsonl')
const session = claudeSession({ turns: 12, steps: 6 })
writeFileSync(file, session)

type Register = Parameters<typeof register>[0]
const patience = 5_000

type Hook = (engine: unknown, event: unknown, next: unknown) => Promise<unknown>

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
  waited: 0,
}

interface Message {
  role: string
  text: string
  handle?: string
  toolUses: { tool_use_id: string }[]
  toolResults?: { tool_use_id: string }[]
}

async function compacted(
  next: (event: { instructions?: string }) => Promise<unknown>,
  {
    event = {},
    run = program,
    sleep = () => new Promise(() => {}),
  }: { event?: object; run?: typeof program; sleep?: (ms: number) => Promise<unknown> } = {},
) {
  const hooks = new Map<string, Hook>()
  register(((name: string, hook: Hook) => hooks.set(name, hook)) as unknown as Register)
  const engine = {
    session: {
      id: async () => 's',
      cwd: async () => '/w',
      version: async () => ({ version: '2.1.330' }),
      usage: async () => ({ context: { window: 100_000 } }),
    },
    clock: { now: async () => 0, sleep },
    process: { run },
  }
  const hook = hooks.get('session.compact')
  return hook?.(engine, { trigger: 'auto', messages, ...event }, next)
}

let asks = 0
/** The program beside the module, in this process. */
async function program(argv: readonly string[], { stdin }: { stdin: string }) {
  const ran = { exitCode: 0, stdout: '', isStdoutTruncated: false }
  if (argv[1] === '-e') {
    execFileSync(process.execPath, argv.slice(1), { input: stdin })
    return ran
  }
  const question = JSON.parse(stdin) as ModuleQuestion
  const written = question.ask === 'compact' ? writtenFor(question) : undefined
  const answer =
    question.ask === 'instructions'
      ? {
          ...(await instructionsAnswer(file, question.directory, { local: false, patience })),
          give: join(root, `${asks++}.json`),
        }
      : question.ask === 'compact'
        ? await compactAnswer(file, question, { written }).then((done) =>
            'aside' in done ? null : done.answer,
          )
        : null
  return { exitCode: 0, stdout: JSON.stringify(answer), isStdoutTruncated: false }
}

const theirs = { messages: [{ role: 'user', text: 'theirs', toolUses: [] }] }

describe('the hooks module of Claude Code', () => {
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
    const done = await compactAnswer(
      cut,
      { ...question, handles: read.map(({ handle }) => handle) },
      { written: async () => written },
    )
    if ('aside' in done) throw new Error(done.aside)
    const kept = JSON.stringify(done.answer.kept)
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
    const sleep = async (ms: number) => (ms === patience ? undefined : new Promise(() => {}))
    const result = (await compacted(() => new Promise(() => {}), { sleep })) as {
      messages: Message[]
    }
    expect(result.messages[0]?.text).toMatch(/^<prior-conversation-summary>\n## Goal\n/)
  })

  it.each([
    ['the program fails', { run: () => Promise.reject(new Error('no node')) }],
    [
      'it says nothing',
      { run: async () => ({ exitCode: 1, stdout: '', isStdoutTruncated: false }) },
    ],
    [
      'its answer is cut',
      { run: async () => ({ exitCode: 0, stdout: '{', isStdoutTruncated: true }) },
    ],
    [
      'its answer is no JSON',
      { run: async () => ({ exitCode: 0, stdout: 'x', isStdoutTruncated: false }) },
    ],
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
    const [bare, whole] = [await compactAnswer(file, question), await compactAnswer(own, question)]
    if ('aside' in bare || 'aside' in whole)
      throw new Error(JSON.stringify([bare, whole]).slice(0, 300))
    const most = besides + said / 4
    expect(whole.answer.before).toBeGreaterThan(most * 0.9)
    expect(whole.answer.before).toBeLessThan(most * 1.1)
    expect(whole.answer.after - bare.answer.after).toBeGreaterThan(besides * 0.9)
    expect(whole.answer.after - bare.answer.after).toBeLessThan(besides * 1.1)
  })
})
