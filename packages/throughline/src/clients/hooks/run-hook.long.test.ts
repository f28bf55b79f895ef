import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { readClientRecords } from '../record.ts'
import { askedIn } from '../asked.ts'
import { writeClientRecord } from '../record.ts'
import { changeClientSettings } from '../settings.ts'
import { instructionsMark } from './before-compaction.ts'
import { personAnswer } from './person-command.ts'
import { give, givenBy, placesOf } from './read-ahead.ts'
import { runHook, type HookClient } from './hook-process.ts'
import { fieldsOf } from '../../json/fields.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-hooks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const takes = { before: 9_500, after: 9_800 }
const client: HookClient = { name: 'claude-code', recallTool: 'recall_it', before: 'text', takes }
const rule = 'Never touch config/prod.ts.'
const file = join(root, 'session.jsonl')
const session = claudeSession({ turns: 12, steps: 6 })
writeFileSync(file, session)

let homes = 0
async function ran(input: unknown, other: Partial<HookClient> = {}, settings = {}) {
  const env = { HOME: root, XDG_DATA_HOME: join(root, `${homes++}`) }
  changeClientSettings('claude-code', env, settings)
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const out = await runHook({ ...client, ...other }, { env, input: text, now: () => 7 })
  return { out, records: readClientRecords('claude-code', env) }
}

function fail(): never {
  throw new Error('it has no places')
}

const before = { hook_event_name: 'PreCompact', session_id: 's', transcript_path: file, cwd: '/w' }
const after = { ...before, hook_event_name: 'SessionStart', source: 'compact' }

describe('a hook', () => {
  it('tells a client’s model before its summary what must stand there', async () => {
    const { out, records } = await ran(before)
    expect(out).toContain(instructionsMark)
    expect(out).toContain(rule)
    expect(out.length).toBeLessThan(10_000)
    expect(records).toEqual([])
    const { out: json } = await ran(before, { before: 'json' })
    expect(JSON.parse(json)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreCompact', additionalContext: out },
    })
    const { out: short } = await ran(before, { takes: { ...takes, before: 2_000 } })
    expect(short).toContain(rule)
    expect(short.length).toBeLessThanOrEqual(2_000)
    expect(short.length).toBeGreaterThan(1_000)
    expect((await ran(before, { before: 'none' })).out).toBe('')
    expect((await ran({ ...before, custom_instructions: out })).out).toBe('')
  })

  it('adds after a compaction what the client’s summary has lost, and how to read the rest', async () => {
    const summary = {
      type: 'user',
      uuid: 'c2',
      parentUuid: 'c1',
      isCompactSummary: true,
      timestamp: '2026-11-22T16:00:00.000Z',
      message: { role: 'user', content: 'Summary:\nThe work goes well.' },
    }
    const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'c1', parentUuid: null }
    const compacted = join(root, 'compacted.jsonl')
    const lines = [boundary, summary].map((record) => JSON.stringify(record))
    writeFileSync(compacted, `${session.trimEnd()}\n${lines.join('\n')}\n`)
    const { out, records } = await ran({ ...after, transcript_path: compacted })
    const { additionalContext } = JSON.parse(out).hookSpecificOutput
    expect(additionalContext).toContain(rule)
    expect(additionalContext).toContain('recall_it')
    expect(additionalContext).not.toContain('The work goes well.')
    expect(additionalContext.length).toBeLessThan(12_000)
    expect(records).toMatchObject([{ event: 'compaction', by: 'client', session: 's', ms: 0 }])
    // Where an addition costs the cache, a summary that lacks nothing gets none, and still counts.
    const whole = join(root, 'whole.jsonl')
    const message = { role: 'user', content: `Summary:\n${additionalContext}` }
    const last = JSON.stringify({ ...summary, message })
    writeFileSync(whole, `${session.trimEnd()}\n${lines[0]}\n${last}\n`)
    const lacking = await ran({ ...after, transcript_path: whole }, { isCostly: true })
    expect(lacking.out).toBe('')
    expect(lacking.records).toMatchObject([{ event: 'compaction', by: 'client', session: 's' }])
  })

  it('says after a compaction what a process of ours has read ahead, while that is there', async () => {
    const env = { HOME: root, XDG_DATA_HOME: join(root, 'ahead') }
    const world = (input: object) => ({ env, input: JSON.stringify(input), now: () => 7 })
    const quiet = { ...client, before: 'none' as const }
    const begin = (): number => process.pid
    expect(await runHook(quiet, { ...world(before), begin })).toBe('')
    const places = placesOf('claude-code', { session: 's' }, env) ?? fail()
    const answered = givenBy<object>(places.question, { longest: 5_000 }).then((said) => {
      give(places.answer, { text: `read ahead: ${fieldsOf(said)?.['session']}` })
    })
    expect(await runHook(quiet, world(after))).toBe('read ahead: s')
    await answered
    // It has ended before it has answered.
    const gone = spawnSync(process.execPath, ['--version']).pid
    await runHook(quiet, { ...world(before), begin: () => gone })
    expect(await runHook(quiet, world(after))).toContain(rule)
    expect(placesOf('claude-code', { session: '../s' }, env)).toBeUndefined()
  })

  it('adds it when a session is begun anew, unless it is there already', async () => {
    const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'c1', parentUuid: null }
    const summary = {
      type: 'user',
      uuid: 'c2',
      parentUuid: 'c1',
      isCompactSummary: true,
      message: { role: 'user', content: 'Summary:\nThe work goes well.' },
    }
    const answer = {
      type: 'assistant',
      uuid: 'c3',
      parentUuid: 'c2',
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'I go on.' }] },
    }
    const written = (name: string, records: object[]): string => {
      const path = join(root, name)
      const lines = records.map((record) => `${JSON.stringify(record)}\n`)
      writeFileSync(path, `${session.trimEnd()}\n${lines.join('')}`)
      return path
    }
    const fresh = { ...after, source: 'resume', transcript_path: written('f', [boundary, summary]) }
    const followed = { ...fresh, transcript_path: written('g', [boundary, summary, answer]) }
    expect((await ran(fresh)).out).toContain(rule)
    expect(await ran(followed)).toEqual({ out: '', records: [] })
    const again = await ran(followed, { forgets: true })
    expect(again).toMatchObject({ out: expect.stringContaining(rule), records: [] })
    expect(await ran({ ...fresh, transcript_path: file })).toEqual({ out: '', records: [] })
  })

  it('adds it once where a client compacts as it resumes, and calls for both', async () => {
    const at = Date.parse('2026-11-22T16:00:00.000Z')
    const timestamp = new Date(at).toISOString()
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'c1',
      parentUuid: null,
      timestamp,
    }
    const summary = {
      type: 'user',
      uuid: 'c2',
      parentUuid: 'c1',
      isCompactSummary: true,
      timestamp,
      message: { role: 'user', content: 'Summary:\nThe work goes well.' },
    }
    const path = join(root, 'twice.jsonl')
    const lines = [boundary, summary].map((record) => `${JSON.stringify(record)}\n`)
    writeFileSync(path, `${session.trimEnd()}\n${lines.join('')}`)
    const env = { HOME: root, XDG_DATA_HOME: join(root, `${homes++}`) }
    const said = async (source: string, now: number, other: Partial<HookClient> = {}) => {
      const input = JSON.stringify({ ...after, source, transcript_path: path })
      return runHook({ ...client, ...other }, { env, input, now: () => now })
    }
    expect(await said('compact', at + 1)).toContain(rule)
    expect(await said('resume', at + 2)).toBe('')
    expect(await said('compact', at + 3)).toBe('')
    expect(await said('resume', at + 4, { forgets: true })).toContain(rule)
    expect(readClientRecords('claude-code', env)).toMatchObject([{ compaction: 1 }])
  })

  it('tells of each compaction, however late a hook writes its record', async () => {
    const timestamp = '2026-11-22T16:00:00.000Z'
    const compaction = (number: number): object[] => [
      { type: 'system', subtype: 'compact_boundary', uuid: `b${number}`, parentUuid: null },
      {
        type: 'user',
        uuid: `s${number}`,
        parentUuid: `b${number}`,
        isCompactSummary: true,
        message: { role: 'user', content: 'Summary:\nThe work goes well.' },
      },
    ]
    const answer = (number: number): object => ({
      type: 'assistant',
      uuid: `a${number}`,
      parentUuid: `s${number}`,
      message: { id: `m${number}`, role: 'assistant', content: [{ type: 'text', text: 'On.' }] },
    })
    const path = join(root, 'late.jsonl')
    const env = { HOME: root, XDG_DATA_HOME: join(root, `${homes++}`) }
    const said = async (records: object[]) => {
      const lines = records.map((record) => `${JSON.stringify({ timestamp, ...record })}\n`)
      writeFileSync(path, `${session.trimEnd()}\n${lines.join('')}`)
      const input = JSON.stringify({ ...after, transcript_path: path })
      return runHook(client, { env, input, now: () => Date.parse(timestamp) + 60_000 })
    }
    const told = () => readClientRecords('claude-code', env).map((record) => record.compaction)
    const first = [...compaction(1), answer(1)]
    // The model has answered already: what its summary lost is told all the same.
    const late = await said(first)
    expect(late).toContain(rule)
    expect(late).not.toContain('The work goes well.')
    expect(late).toMatch(/adds what the summary above leaves out/)
    // The record of the first one is newer than the second compaction.
    expect(await said([...first, ...compaction(2)])).toContain(rule)
    expect(told()).toEqual([1, 2])
    // The hook of the third reads the file late, and tells of the fourth.
    const fourth = [...first, ...compaction(2), answer(2), ...compaction(3), ...compaction(4)]
    expect(await said(fourth)).toContain(rule)
    expect(await said(fourth)).toBe('')
    expect(told()).toEqual([1, 2, 4, 3])
    expect(await said(fourth)).toBe('')
    expect(told()).toHaveLength(4)
  })

  it.each([
    ['goes on where each step is compacted away again', () => 41_000, rule],
    ['steps aside where compactions take nothing away', (at: number) => 41_000 + at * 6_000, ''],
  ])('%s', async (name, counted, told) => {
    const content = 'A line about the harbour and its ships.\n'.repeat(600)
    const { uuid: last } = JSON.parse(session.trimEnd().split('\n').at(-1) ?? '')
    const steps = [0, 1, 2, 3].flatMap((at) => [
      {
        type: 'assistant',
        uuid: `a${at}`,
        parentUuid: at === 0 ? last : `s${at - 1}`,
        message: {
          id: `m${at}`,
          role: 'assistant',
          // What a provider counts is never the same twice.
          usage: { input_tokens: counted(at) + at * 7, output_tokens: 20 },
          content: [{ type: 'tool_use', id: `t${at}`, name: 'Read', input: { file_path: '/w/a' } }],
        },
      },
      {
        type: 'user',
        uuid: `r${at}`,
        parentUuid: `a${at}`,
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `t${at}`, content }],
        },
      },
      { type: 'system', subtype: 'compact_boundary', uuid: `b${at}`, parentUuid: null },
      {
        type: 'user',
        uuid: `s${at}`,
        parentUuid: `b${at}`,
        isCompactSummary: true,
        message: { role: 'user', content: 'Summary:\nThe work goes well.' },
      },
    ])
    const path = join(root, `${name}.jsonl`)
    const lines = steps.map((each) => `${JSON.stringify(each)}\n`)
    writeFileSync(path, `${session.trimEnd()}\n${lines.join('')}`)
    const input = { ...after, transcript_path: path }
    const { out, records } = await ran(input)
    expect(out).toEqual(told === '' ? '' : expect.stringContaining(told))
    expect(records).toMatchObject([{ event: told === '' ? 'step-aside' : 'compaction' }])
  })

  it('says nothing where something else of ours is at work', async () => {
    const isReplaced = (id: string): boolean => id === 's'
    expect(await ran(before, { isReplaced })).toEqual({ out: '', records: [] })
    expect(await ran(after, { isReplaced })).toEqual({ out: '', records: [] })
  })

  it.each([
    ['switched off', before, { off: true }, 'switched off'],
    ['no JSON', 'nonsense', {}, 'not known'],
    ['an event of its own', { ...before, hook_event_name: 'Other' }, {}, 'not known'],
    ['no file named', { hook_event_name: 'PreCompact' }, {}, 'not known'],
    ['a file that is gone', { ...before, transcript_path: join(root, 'none') }, {}, 'ENOENT'],
    [
      'a file that is no session',
      { ...before, transcript_path: import.meta.filename },
      {},
      'format',
    ],
  ])('steps aside, and its record says why: %s', async (_, input, settings, reason) => {
    const { out, records } = await ran(input, {}, settings)
    expect(out).toBe('')
    expect(records).toMatchObject([
      { event: 'step-aside', reason: expect.stringContaining(reason) },
    ])
  })
})

describe('what a person types behind /throughline', () => {
  const env = { HOME: root, XDG_DATA_HOME: join(root, 'typed') }
  const typed = {
    ...before,
    hook_event_name: 'UserPromptExpansion',
    command_name: 'throughline',
  }
  async function answered(command_args: string): Promise<string> {
    const input = JSON.stringify({ ...typed, command_args })
    const out = await personAnswer('claude-code', input, { env, now: () => 7 })
    const { decision, reason } = JSON.parse(out) as { decision: string; reason: string }
    // Nothing of it reaches the model.
    expect(decision).toBe('block')
    return reason
  }
  const asked = () => askedIn('claude-code', env, { session: 's' })

  it('is answered without a model, and is the person’s own word at the next compaction', async () => {
    expect(await answered('')).toMatch(/^Throughline is on\.\nThe session has about [\d.]+k tokens/)
    expect(await answered('preview')).toMatch(
      /k → [\d.]+k tokens it would be[^]*Never touch config/,
    )
    expect(await answered('recall config/prod.ts')).toContain(rule)
    expect(await answered('undo')).toBe('There is no compaction to undo.')
    expect(await answered('pin The port is 4711.')).toContain('Pinned')
    expect(await answered('compact the harbour')).toContain('/compact the harbour')
    expect(asked()).toEqual({ pins: ['The port is 4711.'], focus: 'the harbour' })
    const out = await runHook(client, { env, input: JSON.stringify(before), now: () => 8 })
    expect(out).toContain('Pinned by the human, to keep word for word:\n- The port is 4711.')
    expect(await answered('unpin port')).toBe('No longer pinned: The port is 4711.')
    expect(asked().pins).toEqual([])
  })

  it('switches the hooks off and on again', async () => {
    await answered('off')
    expect(await runHook(client, { env, input: JSON.stringify(before), now: () => 8 })).toBe('')
    await answered('on')
    expect(await runHook(client, { env, input: JSON.stringify(before), now: () => 9 })).not.toBe('')
  })

  it('is left to the client where the command is another one', async () => {
    const input = JSON.stringify({ ...typed, command_name: 'review', command_args: 'off' })
    expect(await personAnswer('claude-code', input, { env, now: () => 7 })).toBe('')
  })
})

it('a person sees in one line what a compaction of ours did', async () => {
  const env = { HOME: root, XDG_DATA_HOME: join(root, 'line') }
  const ours = { ...client, shows: true, isReplaced: () => true }
  const line = (source: string, now: number): Promise<string> =>
    runHook(ours, { env, input: JSON.stringify({ ...after, source }), now: () => now })
  expect(await line('compact', 7)).toBe('')
  const sizes = { before: 111_000, after: 18_000, kept: { rules: 3, files: 14 } }
  const compaction = { at: 7, client: 'claude-code', session: 's', event: 'compaction', ...sizes }
  writeClientRecord({ ...compaction, event: 'compaction', by: 'local' }, env)
  expect(JSON.parse(await line('compact', 9))).toEqual({
    systemMessage:
      'Throughline: 111k → 18k tokens; 3 rules and 14 changed files kept. /throughline show says what.',
  })
  expect(await line('resume', 9)).toBe('')
  // An old one is not what the client has just done.
  expect(await line('compact', 999_999)).toBe('')
})
