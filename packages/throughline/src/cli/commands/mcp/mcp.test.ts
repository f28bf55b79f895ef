import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../../stores/sqlite/sqlite-store.ts'
import { draft } from '../../../testing/conformance/store-drafts.ts'
import type { opencodeDatabase } from '../../../harnesses/testing/opencode-database.ts'
import { opencodeExport } from '../../../formats/opencode/sample.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { clientLines } from '../../testing/client-lines.ts'
import { newDirectory, newFile, runMain } from '../../testing/run-main.ts'
import { capturedIo } from '../../testing/captured-io.ts'
import { main } from '../../main.ts'
import { chooseOutside } from '../../source/choose-session.ts'
import { changingSession } from './changing-session.ts'

const session = claudeSession({ turns: 2, steps: 2 })
const nobody = { client: undefined, meta: {}, input: {} }
const directory = newDirectory()

/** What was answered to each request, by its id. */
async function answers(
  argv: readonly string[],
  calls: readonly unknown[],
  { extra = '', env = {} } = {},
) {
  const { code, out, err } = await runMain(['mcp', ...argv], {
    input: clientLines(calls) + extra,
    cwd: directory,
    env,
  })
  expect(code).toBe(0)
  const lines = out.split('\n').slice(0, -1)
  const byId = new Map(
    lines.map((line) => {
      const { id, result, error } = JSON.parse(line)
      return [id, result ?? error] as const
    }),
  )
  return { err, byId, texts: calls.map((_, id) => byId.get(id)?.content?.[0]?.text) }
}

describe('throughline mcp', () => {
  it('answers all that it was asked before the client went', async () => {
    const path = newFile('session.jsonl', session)
    const calls = [{ ref: '1' }, { path: 'file1.ts' }, { words: 'looking step' }, { ref: 'x' }]
    const { byId, texts } = await answers([path], calls)
    expect(texts[0]).toContain('Please make feature 1 work')
    expect(texts[1]).toContain('did="edit"')
    expect(texts[2]).toContain('Looking at step')
    expect(texts[3]).toContain('The session has no ref "x"')
    expect([0, 1, 2, 3].map((id) => byId.get(id).isError)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
    ])
  })

  it('offers a choice of session only where there is one', async () => {
    const path = newFile('session.jsonl', session)
    const one = await answers([path], [])
    expect(Object.keys(one.byId.get('tools').tools[0].inputSchema.properties)).toEqual([
      'ref',
      'path',
      'words',
      'offset',
    ])
    const any = await answers([], [{ ref: '1' }])
    expect(any.byId.get('tools').tools[0].inputSchema.properties).toHaveProperty('session')
    expect(any.texts[0]).toContain('has not been written yet')
  })

  it('answers for one stored session for good, whatever the model names', async () => {
    using store = sqliteStore({ file: join(directory, 'sessions.db') })
    await store.append('old', [draft('the port is 8123')])
    await store.append('new', [draft('the port is 9000')])
    const fixed = await answers(
      ['old', '--store', 'sessions.db'],
      [{ words: 'port', session: 'new' }],
    )
    expect(fixed.texts[0]).toContain('8123')
  })

  it.each([
    ['claude:latest', 'feature 1'],
    ['latest', 'feature 1'],
    ['opencode:ses_1', 'Read it.'],
  ])('answers for a session of a harness: %s', async (word, said) => {
    const { env, put, putInDatabase } = harnessHome()
    put('claude-code', 'f0000000-0000-4000-8000-000000000001', session, Date.UTC(2027, 0, 1))
    putInDatabase(opencodeExport as unknown as Parameters<typeof putInDatabase>[0])
    const { texts } = await answers([word], [{ ref: '1' }, { ref: '2' }], { env })
    expect(texts.join('\n')).toContain(said)
  })

  it('takes a file before a stored session of that name, and a beginning for the whole', async () => {
    using store = sqliteStore({ file: join(directory, 'names.db') })
    await store.append('name-of-two', [draft('in the store')])
    const asked = async (word: string) =>
      (await answers([word, '--store', 'names.db'], [{ ref: '1' }])).texts[0]
    expect(await asked('name-of-two')).toContain('in the store')
    expect(await asked('name-of')).toContain('in the store')
    writeFileSync(join(directory, 'name-of-two'), session)
    expect(await asked('name-of-two')).toContain('feature 1')
    rmSync(join(directory, 'name-of-two'))
  })

  it('leaves out lines that are no messages, and says so', async () => {
    const path = newFile('session.jsonl', session)
    const { err, texts } = await answers([path], [{ ref: '1' }], {
      extra: 'hello\n{"jsonrpc":"2.0"}\n',
    })
    expect(texts[0]).toContain('feature 1')
    expect(err.match(/The client sent a line that is not a JSON-RPC message/g)).toHaveLength(2)
  })

  it.each([
    ['none.jsonl', '--store', 'none.db'],
    ['unheard', '--store', 'sessions.db'],
  ])('says what there is not: mcp %s %s %s', async (...argv) => {
    using store = sqliteStore({ file: join(directory, 'sessions.db') })
    await store.append('old', [draft('one')])
    const words = argv.filter((word) => word !== undefined)
    const { code, out, err } = await runMain(['mcp', ...words], { cwd: directory })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^throughline: .*there is no (?:session|such file)[^\n]*\n$/)
  })

  it('does not take standard input for a session', async () => {
    expect(await runMain(['mcp', '-'])).toMatchObject({ code: 2, out: '' })
  })

  it('ends quietly when the client has gone in the middle of an answer', async () => {
    const path = newFile('session.jsonl', session)
    const { io, err } = capturedIo({ input: clientLines([{ ref: '1' }]), closedAfter: 1 })
    expect(await main(['mcp', path], io)).toBe(0)
    expect(err().split('\n')).toHaveLength(2)
  })
})

/** Answers to a Claude Code of this session, in a project of its own. */
async function toClaude(
  { env, project }: { env: Record<string, string>; project: string },
  id: string,
  calls: readonly unknown[],
): Promise<string[]> {
  const input = clientLines(calls).replace('a client', 'claude-code')
  const { code, out } = await runMain(['mcp'], {
    input,
    cwd: project,
    env: { ...env, CLAUDE_CODE_SESSION_ID: id },
  })
  expect(code).toBe(0)
  const answers = new Map(
    out
      .trimEnd()
      .split('\n')
      .map((line) => [JSON.parse(line).id, line]),
  )
  return calls.map((_, index) => answers.get(index) ?? '')
}

describe('without a session', () => {
  const mine = 'f0000000-0000-4000-8000-000000000001'
  const earlier = 'f0000000-0000-4000-8000-000000000002'
  const others = 'f0000000-0000-4000-8000-000000000003'
  const { env, put } = harnessHome()
  const project = newDirectory()
  const elsewhere = newDirectory()
  const begin = (id: string, text: string, directory: string): string => {
    const made = claudeSession({ turns: 1, steps: 1, says: [text] })
    return put(
      'claude-code',
      id,
      made.replaceAll('/code/app"', `${directory}"`).replaceAll('"made"', JSON.stringify(id)),
    )
  }
  begin(mine, 'The port is 8123.', project)
  begin(earlier, 'The port is 9000.', project)
  begin(others, 'The port is 7777.', elsewhere)

  it('answers for the client’s own session, and for the project’s others by their ids', async () => {
    const calls = [
      { words: 'port' },
      { words: 'port', session: earlier },
      { words: 'port', session: `claude:${earlier}` },
      { words: 'port', session: others },
    ]
    const [own, other, again, none] = await toClaude({ env, project }, mine, calls)
    expect(own).toContain('8123')
    expect(other).toContain('9000')
    expect(again).toContain('9000')
    expect(none).toContain('This project has no session')
  })

  it('answers for a stored session of the project, and for no other one of the store', async () => {
    const store = { ...env, THROUGHLINE_STORE: join(newDirectory(), 'sessions.db') }
    for (const id of [earlier, others]) {
      const { code } = await runMain(['import', `claude:${id}`, '--as', id.slice(-4)], {
        env: store,
        cwd: project,
      })
      expect(code).toBe(0)
    }
    const calls = [
      { words: 'port', session: '0002' },
      { words: 'port', session: '0003' },
    ]
    const [stored, none] = await toClaude({ env: store, project }, mine, calls)
    expect(stored).toContain('9000')
    expect(none).toContain('This project has no session')
    // A client that nobody knows gets the newest of the project.
    const input = clientLines([{ words: 'port' }])
    const { out } = await runMain(['mcp'], { env: store, cwd: project, input })
    expect(out).toMatch(/8123|9000/)
    expect(out).not.toContain('7777')
  })

  it('follows no ref into another project', async () => {
    const own = 'f0000000-0000-4000-8000-000000000004'
    const { out: text } = await runMain(
      ['compact', `claude:${others}`, '--to', 'claude-code', '--directory', project],
      { env, cwd: project },
    )
    const file = put('claude-code', own, text)
    const ref = /\[([a-z0-9]{6}:\d+(?:\.\d+)?)\]/.exec(text)?.[1]
    const [answer] = await toClaude({ env, project }, own, [{ ref }])
    expect(answer).toContain("can't be read from here")
    // Who names a session trusts it.
    const { texts } = await answers([file], [{ ref }], { env })
    expect(texts[0]).toContain('7777')
  })
})

describe('a session in a database', () => {
  it('is read again when the database has changed', async () => {
    const [exported] = opencodeExport as unknown as Parameters<typeof opencodeDatabase>[1]
    const { env, putInDatabase } = harnessHome()
    if (exported) putInDatabase([exported])
    const { io } = capturedIo({ env })
    const chosen = await chooseOutside('opencode:ses_1', io)
    if (chosen?.type !== 'found') throw new Error('It is not found.')
    const source = await changingSession(chosen, io)
    const first = await source.find(undefined, nobody)
    expect(await source.find(undefined, nobody)).toBe(first)
    putInDatabase([{ info: { id: 'ses_2' }, messages: [] }])
    expect(await source.find(undefined, nobody)).not.toBe(first)
  })
})

describe('a session file', () => {
  it('is read again when it has changed, and stays as it was read when it is gone', async () => {
    const path = newFile('session.jsonl', claudeSession({ turns: 1, steps: 1 }))
    const { io, err } = capturedIo()
    const source = await changingSession({ type: 'file', path }, io)
    const first = await source.find(undefined, nobody)
    expect(await source.find(undefined, nobody)).toBe(first)
    const added = { type: 'user', uuid: 'added', parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', message: { role: 'user', content: 'to zanzibar' } } // prettier-ignore
    appendFileSync(path, `${JSON.stringify(added)}\n`)
    const second = await source.find(undefined, nobody)
    expect(second).not.toBe(first)
    expect(
      await second?.store.search('session', { phrases: [['zanzibar']], match: 'all', limit: 9 }),
    ).toHaveLength(1)
    rmSync(path)
    expect(await source.find(undefined, nobody)).toBe(second)
    expect(err()).toMatch(/^throughline: [^\n]*session\.jsonl: there is no such file/)
  })
})
