import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../testing/claude-session.ts'
import { newTestStore, type TestStore } from '../testing/new-store.ts'

const bin = fileURLToPath(new URL('../../../bin/throughline.js', import.meta.url))
const built = existsSync(new URL('../../../dist/command.js', import.meta.url))
if (!built)
  console.warn('built.long.test.ts is skipped: dist is missing. npm test builds it first.')
// Runs a program in a terminal of its own.
const typist = 'script'
// The options of util-linux: others of the same name take others.
const canType = spawnSync(typist, ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
)

const { FORCE_COLOR: _, ...inherited } = process.env

function environment({ file, directory }: TestStore) {
  return { ...inherited, NO_COLOR: '1', THROUGHLINE_STORE: file, HOME: directory }
}

function ran(store: TestStore, argv: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    env: environment(store),
    cwd: store.directory,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  })
  return { code: status, out: stdout, err: stderr }
}

/** Runs the command in a terminal of its own, and types an answer whenever it asks. */
async function typed(store: TestStore, argv: readonly string[], answers: Record<string, string>) {
  const command = [process.execPath, bin, ...argv].map((word) => `'${word}'`).join(' ')
  const child = spawn(typist, ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: environment(store),
    cwd: store.directory,
  })
  const left = new Map(Object.entries(answers))
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    for (const [question, answer] of left) {
      if (!out.includes(question)) continue
      left.delete(question)
      child.stdin.write(answer)
    }
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, out: out.replaceAll('\r\n', '\n') }
}

describe.skipIf(!built)('the built command and a store', () => {
  it('works as a process, and prints no warning of SQLite', () => {
    const store = newTestStore()
    expect(ran(store, ['import', 'session.jsonl'])).toMatchObject({ code: 0, err: '' })
    expect(ran(store, ['list', '--stored'])).toMatchObject({ code: 0, err: '' })
    expect(ran(store, ['pin', 'made', 'x y'])).toMatchObject({ code: 0, err: '' })
    const { out } = ran(store, ['export', 'made'])
    expect(ran(store, ['import', '-', '--as', 'again'], out)).toMatchObject({ code: 0, err: '' })
    expect(ran(store, ['delete', 'made'])).toMatchObject({ code: 2, out: '' })
    expect(ran(store, ['delete', 'made', '--yes'])).toMatchObject({ code: 0, err: '' })
    expect(ran(store, ['report', '--history', 'made'])).toMatchObject({ code: 1, out: '' })
  })

  it('goes on with the newest request in the messages of an API that another process wrote', () => {
    const store = newTestStore()
    const latest = 'Fix the parser in src/parser.ts.'
    const messages = ['Work.', 'Done.', 'Explain the lexer.', 'It reads. '.repeat(4_000), latest]
    const roles = ['user', 'assistant']
    const said = messages.map((content, at) => ({ role: roles[at % 2], content }))
    writeFileSync(join(store.directory, 'a.json'), JSON.stringify({ messages: said }))
    for (const [from, to] of [
      ['a.json', 'b.json'],
      ['b.json', 'c.json'],
    ] as const) {
      expect(
        ran(store, ['compact', from, '--keep', '3k', '--to', 'anthropic', '-o', to]).code,
      ).toBe(0)
    }
    const { out } = ran(store, ['compact', 'c.json', '--keep', '3k'])
    expect(out).toMatch(/The latest request [^\n]*\n> Fix the parser in src\/parser\.ts\.\n(?!>)/)
  })

  it('makes no store when Ctrl-C ends the reading', async () => {
    const store = newTestStore()
    const child = spawn(process.execPath, [bin, 'import', '-', '--as', 'x'], {
      env: environment(store),
    })
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    // More than any pipe holds: it is written when the command has read most of it.
    child.stdin.write(claudeSession({ turns: 40 }).repeat(60), () => child.kill('SIGINT'))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(err).toBe('throughline: interrupted while reading standard input; nothing was done.\n')
    expect([code, existsSync(store.file)]).toEqual([130, false])
  })

  it('has all of a session or nothing of it, whenever it is stopped', async () => {
    const store = newTestStore({ turns: 300, steps: 12 })
    await store.done('import', 'session.jsonl', '--as', 'first')
    const whole = (await store.read('first')).length
    for (const [index, signal] of (['SIGINT', 'SIGKILL'] as const)
      .flatMap((name) => [name, name, name, name])
      .entries()) {
      const as = `try-${index}`
      const child = spawn(process.execPath, [bin, 'import', 'session.jsonl', '--as', as], {
        env: environment(store),
        cwd: store.directory,
        stdio: 'ignore',
      })
      setTimeout(() => child.kill(signal), 150 + 120 * (index % 4))
      const code = await new Promise((resolve) => child.on('close', resolve))
      const entries = (await store.read(as)).length
      expect([0, whole]).toContain(entries)
      if (code === 0) expect(entries).toBe(whole)
      if (code === 130) expect(entries).toBe(0)
    }
  })
})

describe.skipIf(!built || !canType)('in a terminal', () => {
  it('asks before it deletes, and takes anything but yes for no', async () => {
    const store = newTestStore()
    await store.done('import', 'session.jsonl')
    const question = 'Delete session made, 169 entries, for good? [y/N] '
    for (const [answer, code] of [
      ['\n', 1],
      ['n\n', 1],
      ['\u0004', 1],
      ['\u0003', 130],
    ] as const) {
      const ended = await typed(store, ['delete', 'made'], { '[y/N] ': answer })
      expect(ended.code).toBe(code)
      expect(ended.out).toContain(question)
      expect(ended.out).toMatch(/[Nn]othing was changed\.\n$/)
    }
    expect(await store.read('made')).toHaveLength(169)
    const yes = await typed(store, ['delete', 'made'], { '[y/N] ': 'y\n' })
    expect(yes).toMatchObject({ code: 0 })
    expect(yes.out.endsWith('Deleted made, 169 entries.\n')).toBe(true)
    expect(await store.read('made')).toHaveLength(0)
  })

  it('leaves the list of sessions at Esc', async () => {
    const store = newTestStore()
    const folder = join(store.directory, '.claude/projects/-code-app')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'f0000000-0000-4000-8000-000000000001.jsonl'), claudeSession())
    const { code, out } = await typed(store, ['resume'], { 'claude:f0000000': '\u001b' })
    expect([code, out.includes('Esc leaves')]).toEqual([130, true])
  })

  it('reads a secret that nobody sees', async () => {
    const store = newTestStore({ turns: 2, says: ['Use sk-live-0123456789.'] })
    await store.done('import', 'session.jsonl')
    const answers = { 'not shown: ': 'sk-live-01234X\u007f56789\n', '[y/N] ': 'y\n' }
    const { code, out } = await typed(store, ['redact', 'made', '--secret', '-'], answers)
    expect(out).toContain('Redacted entry 1 of made.')
    expect([code, out.includes('sk-live')]).toEqual([0, false])
    expect(readFileSync(join(store.directory, 'sessions.db')).includes('sk-live')).toBe(false)
    const stopped = await typed(store, ['redact', 'made', '--secret', '-'], {
      'not shown: ': 'abc\u0003',
    })
    expect(stopped.code).toBe(130)
    expect(stopped.out).toMatch(/interrupted; nothing was changed\.\n$/)
  })
})
