import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from './testing/claude-session.ts'
import { newTestStore } from './testing/new-store.ts'

/** Two sessions in files and in the store, as `made` and `more`, and a file that is no session. */
async function twoSessions() {
  const store = newTestStore({ turns: 6, steps: 4 })
  const { directory, done } = store
  const other = claudeSession({ turns: 4 }).replaceAll('"sessionId":"made"', '"sessionId":"more"')
  writeFileSync(join(directory, 'more.jsonl'), other)
  writeFileSync(join(directory, 'broken.jsonl'), 'no session\n')
  await done('import', 'session.jsonl', 'more.jsonl')
  const mixed = ['session.jsonl', 'broken.jsonl', 'more.jsonl']
  return { ...store, mixed, files: ['session.jsonl', 'more.jsonl'] }
}

describe('several sessions at once', () => {
  it.each([
    ['compact', ['--keep', '3k'], /^==> session\.jsonl <==\n[^]*\n\n==> more\.jsonl <==\n/],
    ['report', ['--history'], /^==> session\.jsonl <==\n[^]*\n\n==> more\.jsonl <==\n/],
    ['report', ['--fill'], /^session\.jsonl\n[^]*\n\nmore\.jsonl\n/],
    ['report', ['--text'], /^session\.jsonl\n[^]*\n\nmore\.jsonl\n/],
  ])('are told apart by %s', async (command, options, output) => {
    const { run, files } = await twoSessions()
    const { code, out } = await run([command, ...files, ...options])
    expect(code).toBe(0)
    expect(out).toMatch(output)
  })

  it.each([
    ['compact', ['--keep', '3k']],
    ['report', ['--history']],
    ['report', ['--fill']],
    ['report', ['--text']],
    ['import', []],
  ])('are all done by %s, also where one fails', async (command, options) => {
    const { run, files, mixed } = await twoSessions()
    const well = await run([command, ...files, ...options])
    const { code, out, err } = await run([command, ...mixed, ...options])
    expect(code).toBe(1)
    expect(out).toBe(well.out)
    expect(err).toMatch(/^throughline: broken\.jsonl: /m)
    expect(err).toMatch(/^throughline: 1 of 3 sessions failed; 2 were done\.$/m)
  })

  it.each([
    ['compact', ['--keep', '3k']],
    ['report', ['--history']],
    ['report', ['--fill']],
    ['report', []],
    ['import', []],
  ])('are one object of %s with --json', async (command, options) => {
    const { run, mixed } = await twoSessions()
    const { code, out, err } = await run([command, ...mixed, ...options, '--json'])
    expect(code).toBe(1)
    expect(err).toContain('throughline: broken.jsonl: ')
    const { version, sessions, failed } = JSON.parse(out)
    expect(version).toBe(1)
    expect(sessions).toHaveLength(2)
    const message = expect.stringMatching(/^broken\.jsonl: /)
    expect(failed).toEqual([{ session: 'broken.jsonl', message }])
  })

  it('have files of their own in the directory that -o names', async () => {
    const { run, done, directory, files } = await twoSessions()
    mkdirSync(join(directory, 'out'))
    mkdirSync(join(directory, 'sub'))
    writeFileSync(join(directory, 'sub', 'more.jsonl'), claudeSession({ turns: 4 }))
    const argv = ['compact', ...files, 'sub/more.jsonl', '-o', 'out', '--format', 'markdown']
    const { code, out } = await run([...argv, '--keep', '3k'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    const names = readdirSync(join(directory, 'out')).sort()
    expect(names).toEqual(['more-2.md', 'more.md', 'session.md'])
    await done('export', 'made', 'more', '-o', 'out')
    const lines = readFileSync(join(directory, 'out', 'more.jsonl'), 'utf8')
    expect(lines).toContain('"throughline"')
  })

  it('never overwrite a file that is there', async () => {
    const { run, directory } = await twoSessions()
    const argv = ['compact', 'more.jsonl', 'session.jsonl', '--to', 'codex', '-o', '.']
    const before = readFileSync(join(directory, 'session.jsonl'), 'utf8')
    expect((await run([...argv, '--keep', '3k'])).code).toBe(0)
    expect(readFileSync(join(directory, 'session.jsonl'), 'utf8')).toBe(before)
    expect(existsSync(join(directory, 'session-2.jsonl'))).toBe(true)
  })

  it('are one, too, in a directory', async () => {
    const { run, directory } = await twoSessions()
    expect((await run(['compact', 'session.jsonl', '-o', '.', '--keep', '3k'])).code).toBe(0)
    expect(existsSync(join(directory, 'session.txt'))).toBe(true)
  })

  it('are undone and deleted together, each that is there', async () => {
    const { run, done, json } = await twoSessions()
    await done('compact', 'made', '--keep', '3k')
    await done('compact', 'more', '--keep', '3k')
    expect(await done('undo', 'made', 'more')).toMatch(/^Undid .* of made[^]*\nUndid .* of more/)
    const { code, out, err } = await run(['delete', 'made', 'none', 'more', '--yes'])
    expect(code).toBe(1)
    expect(out).toMatch(/^Deleted made, .*\nDeleted more, .*\n$/)
    expect(err).toContain('there is no session none in the store')
    expect((await json('list', '--stored')).sessions).toEqual([])
  })

  it('are asked about once before they are deleted', async () => {
    const { run, json } = await twoSessions()
    const { err } = await run(['delete', 'made', 'more'], { terminal: 100, typed: 'n\n' })
    expect(err).toMatch(
      /^Delete 2 sessions \(made, more\), together \d+ entries, for good\? \[y\/N\]/,
    )
    expect((await json('list', '--stored')).sessions).toHaveLength(2)
  })

  it('shows several refs of one session', async () => {
    const { done, json } = await twoSessions()
    const both = await done('report', '--history', 'made', '3', '[2.0]')
    expect(both).toContain(await done('report', '--history', 'made', '3'))
    expect(both).toContain(await done('report', '--history', 'made', '2.0'))
    expect((await json('report', '--history', 'made', '3', '2.0')).entries).toHaveLength(2)
  })

  it('reads standard input as one of them', async () => {
    const { run, directory } = await twoSessions()
    const input = readFileSync(join(directory, 'more.jsonl'))
    const { code, out } = await run(['compact', 'session.jsonl', '-'], { input })
    expect(code).toBe(0)
    expect(out).toContain('\n\n==> standard input <==\n')
  })

  it('says at Ctrl-C what is done', async () => {
    const { run, files } = await twoSessions()
    const setting = { terminal: 100, interruptedAt: 'looking at more.jsonl' }
    const { code, out, err } = await run(['report', '--fill', ...files], setting)
    expect(code).toBe(130)
    expect(out).toContain('session.jsonl')
    expect(err).toContain('session 2 of 2: ')
    expect(err).toContain('Those before it are done.')
  })

  it.each([
    [['compact', 'session.jsonl', 'more.jsonl', '--to', 'codex'], 'name a directory with -o'],
    [['compact', 'session.jsonl', 'more.jsonl', '--format', 'ai-sdk'], 'a directory with -o'],
    [['compact', 'session.jsonl', 'more.jsonl', '--copy'], '--copy one at a time'],
    [['compact', 'session.jsonl', 'more.jsonl', '-o', 'one.txt'], 'a directory that exists'],
    [['compact', '-', '-'], 'give - once'],
    [['export', 'made', 'more'], 'several exports need a directory'],
    [['report', 'session.jsonl', 'more.jsonl'], 'name a directory with -o'],
    [['report', '--history', 'made', 'more', '3'], '3 is a ref'],
    [['report', '--fill', 'session.jsonl', 'more.jsonl', '--top', 'x'], '--top must be'],
  ])('refuses %j before anything is done', async (argv, message) => {
    const { fails } = await twoSessions()
    expect(await fails(2, argv)).toContain(message)
  })
})
