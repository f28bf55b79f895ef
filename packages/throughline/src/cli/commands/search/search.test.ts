import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexRecords } from '../../../formats/codex/sample.ts'
import { opencodeExport } from '../../../formats/opencode/sample.ts'
import { nodeSqlite } from '../../../stores/sqlite/connection/node-sqlite.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { runMain } from '../../testing/run-main.ts'

const first = 'f0000000-0000-4000-8000-000000000001'
const second = 'f0000000-0000-4000-8000-000000000002'

function session(id: string, says: string[], cwd = '/code/app'): string {
  return claudeSession({ turns: says.length, steps: 2, says })
    .replaceAll('"sessionId":"made"', `"sessionId":"${id}"`)
    .replaceAll('"cwd":"/code/app"', `"cwd":"${cwd}"`)
}

/** A machine with two sessions of Claude Code. */
function machine() {
  const made = harnessHome()
  const file = made.put('claude-code', first, session(first, ['The zebra parser fails in CI.']))
  made.put('claude-code', second, session(second, ['Rename the otter.'], '/code/other'))
  const run = (...argv: string[]) => runMain(argv, { env: made.env, cwd: made.home })
  const found = async (...argv: string[]) => {
    const { code, out, err } = await run('search', ...argv, '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out) as Found
  }
  const folder = join(made.env['XDG_DATA_HOME'] ?? '', 'throughline')
  return { ...made, file, run, found, index: join(folder, 'sessions.search.db'), folder }
}

interface Found {
  match: string
  total: { sessions: number; hits: number }
  sessions: {
    session: string
    client: string | null
    id: string
    hits: { ref: string; tool: string | null; excerpt: { text: string; isMatch: boolean }[] }[]
  }[]
}

function lines(records: readonly unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n')
}

function ids({ sessions }: Found): string[] {
  return sessions.map(({ id }) => id).sort()
}

describe('search', () => {
  it('finds a passage, marks the words, and prints the command that opens it', async () => {
    const { run } = machine()
    const { code, out, err } = await run('search', 'parser', 'zeb')
    expect({ code, err }).toEqual({ code: 0, err: '1 hit in 1 session\n' })
    expect(out).toContain('The **zebra** **parser** fails in CI.')
    const [, command = ''] = /open it: throughline (recall \S+ \S+)/.exec(out) ?? []
    expect((await run(...command.split(' '))).out).toContain('The zebra parser fails in CI.')
  })

  it('says which words no passage has together, and finds some of them', async () => {
    const { found, run } = machine()
    const answer = await found('zebra', 'otter')
    expect(answer.match).toBe('any')
    expect(ids(answer)).toEqual([first, second])
    expect((await run('search', 'zebra', 'otter')).err).toContain('No passage has all of these')
  })

  it('finds words in double quotes only where they stand together', async () => {
    const { found, run } = machine()
    expect(ids(await found('"zebra parser"'))).toEqual([first])
    expect(await run('search', '"parser zebra"')).toMatchObject({ code: 1, out: '' })
  })

  it('narrows down by client, directory, time, file and tool', async () => {
    const { found, put } = machine()
    put('codex', second, lines(codexRecords), Date.UTC(2024, 0, 1))
    expect(ids(await found('otter', '--in', 'claude'))).toEqual([second])
    expect(ids(await found('value', '--in', '/code'))).toEqual([first, second])
    expect(ids(await found('value', '--in', '/code/other/'))).toEqual([second])
    const path = await found('--path', 'part0/file1.ts', '--in', '/code/app')
    expect(path.sessions[0]?.hits.map(({ tool }) => tool)).toEqual(['Edit', 'Edit'])
    const tool = await found('--tool', 'read', '--in', '/code/app')
    expect(new Set(tool.sessions[0]?.hits.map(({ tool }) => tool))).toEqual(new Set(['Read']))
    expect((await found('value', '--since', '2026-01-01')).total.sessions).toBe(2)
    expect((await found('--tool', 'shell', '--since', '2030-01-01')).total.hits).toBe(0)
  })

  it('searches the sessions of clients that keep them in a database', async () => {
    const { putInDatabase, found } = machine()
    putInDatabase(opencodeExport as unknown as Parameters<typeof putInDatabase>[0])
    const { sessions } = await found('--in', 'opencode', 'the')
    expect(sessions[0]?.session).toMatch(/^opencode:ses_/)
  })

  it('reads what has changed, and nothing else', async () => {
    const { found, file, index } = machine()
    await found('zebra')
    const stamps = (): unknown[] => rowsIn(index, 'SELECT id, session, ref FROM passages')
    const before = stamps()
    await found('zebra')
    expect(stamps()).toEqual(before)
    appendFileSync(
      file,
      session(first, ['The zebra parser fails in CI.', 'Now a walrus.']).slice(
        session(first, ['The zebra parser fails in CI.']).length,
      ),
    )
    expect(ids(await found('walrus'))).toEqual([first])
    expect((await found('zebra')).total.hits).toBe(1)
  })

  it('adds only what is new in a long session that grew', async () => {
    const made = machine()
    const says = Array.from({ length: 30 }, (_, index) => `Task ${index}.`)
    const file = made.put('claude-code', first, session(first, says))
    await made.found('task')
    const sql = `SELECT p.id FROM passages p JOIN sessions s ON s.number = p.session
      WHERE s.id = '${first}' AND p.seq < 100`
    const before = rowsIn(made.index, sql)
    appendFileSync(file, session(first, [...says, 'A walrus.']).slice(session(first, says).length))
    expect(ids(await made.found('walrus'))).toEqual([first])
    expect(rowsIn(made.index, sql)).toEqual(before)
  })

  it('reads a session anew that was changed in the middle', async () => {
    const { put, found } = machine()
    const says = Array.from({ length: 30 }, (_, index) => `Task ${index}.`)
    put('claude-code', first, session(first, says))
    await found('task')
    put('claude-code', first, session(first, ['A walrus.', ...says]), Date.UTC(2026, 1, 1))
    expect((await found('walrus')).total.hits).toBe(1)
    expect((await found('"task 29"')).total.hits).toBe(1)
  })

  it('forgets a session that is gone, unless the store has it', async () => {
    const { found, file, run } = machine()
    expect(ids(await found('zebra'))).toEqual([first])
    expect((await run('import', '--all')).code).toBe(0)
    expect(ids(await found('zebra'))).toEqual([first])
    rmSync(file)
    const { sessions } = await found('zebra')
    expect(sessions).toMatchObject([{ client: null, id: first, session: first }])
    expect((await run('delete', first, '--yes')).code).toBe(0)
    expect((await found('zebra')).total.hits).toBe(0)
  })

  it('keeps its index to its owner, and nothing in it that was redacted', async () => {
    const { found, file, run, index, folder, put } = machine()
    put('claude-code', first, session(first, ['The hunter22 parser fails in CI.']))
    await found('hunter22')
    if (process.platform !== 'win32') expect(statSync(index).mode & 0o777).toBe(0o600)
    await run('import', first)
    rmSync(file)
    await found('hunter22')
    const argv = ['redact', first, '--secret', 'hunter22', '--yes']
    expect(await run(...argv)).toMatchObject({ code: 0, err: '' })
    const files = readdirSync(folder).filter((name) => name.includes('search'))
    for (const name of files) {
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('hunter22')
    }
    expect((await found('hunter22')).total.hits).toBe(0)
    expect(ids(await found('parser'))).toEqual([first])
  })

  it('makes a damaged index anew', async () => {
    const { found, index } = machine()
    await found('zebra')
    appendFileSync(index, 'x')
    rmSync(index)
    appendFileSync(index, 'no database at all, but longer than nothing'.repeat(40))
    expect(ids(await found('zebra'))).toEqual([first])
  })

  it('goes on at the next search where it was interrupted', async () => {
    const { env, home, found, index, put } = machine()
    for (const end of '3456')
      put('claude-code', `${first.slice(0, -1)}${end}`, session(first, ['x']))
    const { capturedIo } = await import('../../testing/captured-io.ts')
    const { main } = await import('../../main.ts')
    const captured = capturedIo({
      env,
      cwd: home,
      terminal: 80,
      onErr: (text) => {
        if (/[1-4] of 6/.test(text)) captured.interrupt()
      },
    })
    expect(await main(['search', 'zebra'], captured.io)).toBe(130)
    expect(captured.err()).toContain('the next search continues from there')
    const { length } = rowsIn(index, 'SELECT id FROM sessions')
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThan(6)
    expect(ids(await found('zebra'))).toEqual([first])
  })

  it('tells how far it is in a long session, and stops there at Ctrl-C', async () => {
    const { env, home, put } = harnessHome()
    put('claude-code', first, claudeSession({ turns: 150, steps: 8, lines: 80 }))
    const { capturedIo } = await import('../../testing/captured-io.ts')
    const { main } = await import('../../main.ts')
    const captured = capturedIo({
      env,
      cwd: home,
      terminal: 80,
      onErr: (text) => {
        if (/0 of 1, [1-9]\d* of/.test(text)) captured.interrupt()
      },
    })
    expect(await main(['search', 'feature'], captured.io)).toBe(130)
    expect(captured.err()).toContain('the next search continues from there')
  })

  it.each([
    [['search'], 'what should be searched for?'],
    [['search', '--', '--'], 'no letter and no digit'],
    [['search', 'a', '--since', 'soon'], '--since must be a time'],
    [['search', 'a', '--in', 'coddex'], 'did you mean codex?'],
    [['search', 'a', '-n', '0'], '--limit must be a whole number'],
  ])('refuses %j', async (argv, message) => {
    const { code, out, err } = await machine().run(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  it('prints no characters that affect a terminal, whatever a session holds', async () => {
    const { put, run, file } = machine()
    const hostile = 'zebra \u001b]0;x\u0007\u202e walrus\ue000 \u001b[31mred'
    put('claude-code', first, session(first, [hostile]), Date.UTC(2026, 2, 1))
    expect(existsSync(file)).toBe(true)
    utimesSync(file, 1_800_000_000, 1_800_000_000)
    const { out } = await run('search', 'walrus')
    expect(out).toContain('**walrus**')
    expect(out).not.toMatch(/[\u001b\u0007\u202e]/)
  })
})

function rowsIn(file: string, sql: string): unknown[] {
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}
