import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession, type SessionShape } from '../../../testing/claude-session.ts'
import { harnessHome } from '../../../testing/harness-home.ts'
import { newDirectory, runMain } from '../../../testing/run-main.ts'
import type { MachineReport } from '../../../../report/machine.ts'

const id = (number: number): string => `f000000${number}-0000-4000-8000-000000000001`
const at = Date.UTC(2026, 1, 2, 12)

interface Made extends SessionShape {
  directory?: string
}

/** A machine on which Claude Code has these sessions. */
function machineWith(...sessions: Made[]) {
  const { home, env, put } = harnessHome()
  const folder = newDirectory()
  const text = ({ directory = '/code/app', ...shape }: Made): string =>
    claudeSession(shape).replaceAll('/code/app', directory)
  const files = sessions.map((session, index) => put('claude-code', id(index), text(session), at))
  const run = async (...argv: string[]) =>
    runMain(['report', '--all', ...argv, '--store', join(folder, 'sessions.db')], { env })
  const asked = async (...argv: string[]): Promise<MachineReport> =>
    JSON.parse((await run('--json', ...argv)).out) as MachineReport
  return { home, files, run, asked, folder }
}

const two = (): ReturnType<typeof machineWith> =>
  machineWith(
    { says: ['Fix the lexer. Never push to the remote.'], turns: 1 },
    { says: ['Write the docs. Use British spelling.'], turns: 1, directory: '/code/docs' },
  )

describe('report --all', () => {
  it('shows of every session what it sent, what it cost, and the rules in force', async () => {
    const { asked } = two()
    const { sessions, unreadable } = await asked()
    expect(unreadable).toEqual([])
    expect(sessions.map(({ directory }) => directory).sort()).toEqual(['/code/app', '/code/docs'])
    for (const { sent, dollars, days, requests, rules, kinds } of sessions) {
      expect(requests).toBeGreaterThan(0)
      expect(rules).toHaveLength(1)
      expect(sent.input + sent.cacheRead + sent.cacheWrite).toBeGreaterThan(0)
      expect(Object.keys(days)).toEqual(['2026-02-02'])
      expect(days['2026-02-02']).toBeCloseTo(dollars ?? 0, 6)
      const input = Object.values(kinds).reduce((sum, each) => sum + each, 0)
      expect(input).toBeLessThan(dollars ?? 0)
    }
  })

  it('says the same in the terminal, by project', async () => {
    const { code, out } = await two().run('--text')
    expect(code).toBe(0)
    expect(out).toMatch(/^sessions +2 sessions$/m)
    expect(out).toMatch(/^By project$/m)
    expect(out).toMatch(/^\/code\/app\n +– Never push to the remote\.$/m)
    expect(out).toMatch(/^\/code\/docs\n +– Use British spelling\.$/m)
  })

  it('takes only sessions of a directory, or of a time', async () => {
    const { asked } = two()
    expect((await asked('--in', '/code/docs')).sessions).toHaveLength(1)
    expect((await asked('--since', '2026-02-01')).sessions).toHaveLength(2)
    expect((await asked('--since', '2026-03-01')).sessions).toHaveLength(0)
  })

  it('reads a session again only after it has changed', async () => {
    const { asked, files } = two()
    const [file = ''] = files
    const before = await asked()
    const text = readFileSync(file, 'utf8')
    const { mtime } = statSync(file)
    writeFileSync(file, text.replaceAll('Never push', 'Never pull'))
    utimesSync(file, mtime, mtime)
    expect((await asked()).sessions).toEqual(before.sessions)
    utimesSync(file, mtime, new Date(mtime.getTime() + 1000))
    const after = await asked()
    expect(JSON.stringify(after.sessions)).toContain('Never pull to the remote.')
  })

  it('names what cannot be read, and shows the rest', async () => {
    const { asked, files } = two()
    const [file = ''] = files
    writeFileSync(file, '{"type":"user","message":'.repeat(200))
    const { sessions, unreadable } = await asked()
    expect(sessions).toHaveLength(1)
    expect(unreadable).toEqual([{ file, reason: expect.stringMatching(/\w/) }])
  })

  it('writes one page that only its owner can read', async () => {
    const { run, folder } = two()
    const file = join(folder, 'all.html')
    const { code, err } = await run('-o', file)
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('in a browser.') })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('Use British spelling.')
  })

  it('refuses the name of a session, and the options of other views', async () => {
    const { run } = two()
    expect(await run('made')).toMatchObject({ code: 2 })
    expect(await run('--fill')).toMatchObject({ code: 2 })
  })
})
