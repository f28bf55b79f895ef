import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { filesBelow } from '../../testing/files-below.ts'
import { harnessHome, type HarnessHome } from '../../testing/harness-home.ts'
import { runMain } from '../../testing/run-main.ts'

const id = 'f0000000-0000-4000-8000-000000000001'
const long = { turns: 12, steps: 6, lines: 60 }

/** A home with one session of Claude Code that ran in `app`. */
function homeWith(session: Parameters<typeof claudeSession>[0]): HarnessHome & { app: string } {
  const made = harnessHome()
  const app = join(made.home, 'app')
  mkdirSync(app)
  const text = claudeSession(session).replaceAll('"/code/app"', JSON.stringify(app))
  made.put('claude-code', id, text)
  return { ...made, app }
}

/** A program on the PATH that writes down how it was called. */
function fakeClient({ home, env }: HarnessHome, name: string): Record<string, string> {
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  const program = join(bin, name)
  writeFileSync(program, `#!/bin/sh\necho "$PWD" "$@" > '${join(home, 'called')}'\nexit 7\n`)
  chmodSync(program, 0o755)
  return { ...env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
}

const called = ({ home }: HarnessHome): string => readFileSync(join(home, 'called'), 'utf8').trim()

describe('resume', () => {
  it('compacts a session that is nearly full, and starts its client on the new one', async () => {
    const home = homeWith(long)
    const env = { ...fakeClient(home, 'claude'), NO_COLOR: '1' }
    const setting = { env, cwd: home.app, terminal: 100, chosen: () => 0 }
    const { code, err } = await runMain(['resume', '--window', '64k'], setting)
    expect(code).toBe(7)
    expect(err).toMatch(/[\d,]+ → [\d,]+ tokens/)
    expect(err).toMatch(/request +\S/)
    expect(err).toContain('the latest request')
    const [directory, flag, resumed] = called(home).split(' ')
    expect([directory, flag]).toEqual([home.app, '--resume'])
    expect(resumed).not.toBe(id)
    expect(filesBelow(home.home).some((file) => file.endsWith(`${resumed}.jsonl`))).toBe(true)
  })

  it('is told of truly in the session that it wrote, also when that is copied into another client', async () => {
    const home = homeWith(long)
    const setting = { env: home.env, cwd: home.app }
    const asJson = async (...args: string[]) =>
      JSON.parse((await runMain([...args, '--json'], setting)).out)
    const made = await asJson('resume', '--window', '64k')
    const session = `claude:${made.session}`
    const compacted = { by: 'throughline', before: made.tokens.before, state: 'in force' }
    expect(made.tokens.before).toBeGreaterThan(2 * made.tokens.after)
    expect((await asJson('report', session)).compactions).toMatchObject([compacted])
    const citing = async (of: string): Promise<number> => {
      const [{ detail }] = (await asJson('report', of)).compactions
      return detail.summary.filter((line: { elsewhere: { source: { name: string } }[] }) =>
        line.elsewhere.some(({ source }) => source.name === 'claude:made'),
      ).length
    }
    expect(await citing(session)).toBeGreaterThan(2)
    const copy = await asJson('resume', session, '--in', 'codex')
    expect(copy.tokens.before).toBe(copy.tokens.after)
    expect((await asJson('report', session)).compactions).toMatchObject([compacted])
    expect((await asJson('report', `codex:${copy.session}`)).compactions).toMatchObject([compacted])
    expect(await citing(`codex:${copy.session}`)).toBe(await citing(session))
  })

  it('goes on with a small one as it is', async () => {
    const home = homeWith({ turns: 1, steps: 1 })
    const before = filesBelow(home.home)
    const { code, out, err } = await runMain(['resume'], { env: home.env, cwd: home.app })
    expect(code).toBe(0)
    expect(out).toBe(`claude --resume ${id}\n`)
    expect(err).toContain('small enough to go on as it is')
    expect(filesBelow(home.home)).toEqual(before)
  })

  it('takes the newest session of the working directory, and says so where there is none', async () => {
    const home = homeWith({ turns: 1, steps: 1 })
    const newer = claudeSession({ turns: 1, steps: 1 })
    home.put('claude-code', 'f0000000-0000-4000-8000-000000000002', newer, Date.UTC(2026, 5, 1))
    expect((await runMain(['resume'], { env: home.env, cwd: home.app })).out).toContain(id)
    const { code, err } = await runMain(['resume'], { env: home.env, cwd: home.home })
    expect(code).toBe(1)
    expect(err).toContain('there is no session of this directory')
  })

  it('lets somebody choose in a terminal, and does nothing when they leave', async () => {
    const home = homeWith(long)
    const offered: string[] = []
    const found: string[] = []
    const setting = {
      env: home.env,
      cwd: home.home,
      terminal: 100,
      chosen: (lines: readonly string[], _: string, words: readonly string[] = []) => {
        offered.push(...lines)
        found.push(...words)
        return undefined
      },
    }
    const before = filesBelow(home.home)
    expect(await runMain(['resume'], setting)).toMatchObject({ code: 130, out: '' })
    expect(offered).toHaveLength(1)
    expect(offered[0]).toContain('claude:f0000000')
    expect(found[0]).toContain(`Never touch config/prod.ts. ${home.app}`)
    expect(filesBelow(home.home)).toEqual(before)
  })

  it('goes on in another client, and prints the command where that is not installed', async () => {
    const home = homeWith(long)
    const argv = ['resume', 'latest', '--in', 'codex', '--window', '64k']
    const { code, out, err } = await runMain(argv, { env: home.env, cwd: home.app, terminal: 100 })
    expect(code).toBe(0)
    expect(out).toMatch(/^codex resume [\w-]+\n$/)
    expect(err).toContain('To resume it:')
    expect(err).toContain('read back what was cut: throughline install codex\n')
  })

  it('fits what another client has, however large the window was', async () => {
    const home = homeWith(long)
    // The client counts more than 200,000 tokens only where the window is a million.
    const text = claudeSession({ turns: 40, steps: 8, lines: 60, model: 'claude-opus-4-6' })
    const usage = '"stop_reason":"end_turn","usage":{"input_tokens":260000,"output_tokens":9}'
    const counted = text.replaceAll('"stop_reason":"end_turn"', usage)
    home.put('claude-code', 'f0000000-0000-4000-8000-000000000002', counted, Date.UTC(2026, 5, 1))
    const sizes = async (...more: string[]): Promise<{ before: number; after: number }> => {
      const argv = ['resume', 'f0000000-0000-4000-8000-000000000002', '--json', ...more]
      return JSON.parse((await runMain(argv, { env: home.env, cwd: home.app })).out).tokens
    }
    const same = await sizes()
    expect(same.before).toBeGreaterThan(200_000)
    expect(same.after).toBe(same.before)
    expect((await sizes('--in', 'codex')).after).toBeLessThan(100_000)
    expect((await sizes('--in', 'codex', '--window', '1m')).after).toBeGreaterThan(200_000)
  })

  it('says beside the size of the messages what the provider counted, which the list shows', async () => {
    const home = homeWith({ turns: 1, steps: 1 })
    const text = claudeSession(long).replaceAll(
      '"stop_reason":"end_turn"',
      '"stop_reason":"end_turn","usage":{"input_tokens":120000,"output_tokens":9}',
    )
    const session = 'f0000000-0000-4000-8000-000000000002'
    home.put('claude-code', session, text, Date.UTC(2026, 5, 1))
    const setting = { env: home.env, cwd: home.app }
    const asked = async (...argv: string[]) =>
      JSON.parse((await runMain([...argv, '--json'], setting)).out)
    const [listed] = (await asked('list', '--limit', '1')).sessions
    const { tokens } = await asked('resume', session, '--keep', '8k')
    expect(tokens.before).toBeLessThan(100_000)
    expect(tokens.counted).toBe(listed.tokens.count)
    const { err } = await runMain(['resume', session, '--keep', '8k', '--print'], setting)
    expect(err).toMatch(
      /of messages alone; with system prompt and tools, the provider counted 12\d,/,
    )
  })

  it('tells how recall is set up where nothing can be installed', async () => {
    const home = homeWith(long)
    const argv = ['resume', 'latest', '--in', 'cline', '--window', '64k']
    const { err } = await runMain(argv, { env: home.env, cwd: home.app, terminal: 100 })
    expect(err).toContain('read back what was cut, add the MCP server "throughline mcp" to Cline.')
    const files = filesBelow(home.home).filter((file) => file.includes('.cline'))
    expect(
      files.map((file) => file.replace(/.*\.cline/, '').replaceAll(/[\w-]{36}/g, 'id')),
    ).toEqual(['/data/sessions/id/id.json', '/data/sessions/id/id.messages.json'])
  })

  it('prints what to run, with --print, and starts nothing', async () => {
    const home = homeWith(long)
    const env = fakeClient(home, 'claude')
    const setting = { env, cwd: home.app, terminal: 100, chosen: () => 0 }
    const { out } = await runMain(['rescue', '--print', '--keep', '4k'], setting)
    expect(out).toMatch(/^claude --resume [\w-]+\n$/)
    expect(out).not.toContain(id)
    expect(existsSync(join(home.home, 'called'))).toBe(false)
  })

  it('gives the new session the title of the old one in the list', async () => {
    const home = homeWith(long)
    await runMain(['resume', 'latest', '--keep', '4k'], { env: home.env, cwd: home.app })
    const { out } = await runMain(['list', '--json'], { env: home.env, cwd: home.app })
    const titles = JSON.parse(out).sessions.map(({ title }: { title: string }) => title)
    expect(titles).toHaveLength(2)
    expect(titles[0].slice(0, 30)).toBe(titles[1].slice(0, 30))
  })

  it('says how large the new session is, with --json', async () => {
    const home = homeWith(long)
    const argv = ['resume', 'latest', '--window', '64k', '--json']
    const { out } = await runMain(argv, { env: home.env, cwd: home.app })
    const { harness, commands, tokens } = JSON.parse(out)
    expect(harness).toBe('claude-code')
    expect(commands[0].slice(0, 2)).toEqual(['claude', '--resume'])
    expect(tokens.after).toBeLessThan(tokens.before)
  })

  it('runs no program in a directory that only a file names', async () => {
    const home = homeWith(long)
    const env = fakeClient(home, 'claude')
    const file = join(home.home, 'sent.jsonl')
    writeFileSync(file, claudeSession(long).replaceAll('"/code/app"', JSON.stringify(home.app)))
    const setting = { env, cwd: home.home, terminal: 100, chosen: () => 0 }
    const { out } = await runMain(['resume', file], setting)
    expect(out).toContain('claude --resume')
    expect(existsSync(join(home.home, 'called'))).toBe(false)
  })

  it('asks for a client where a session has none that could resume it', async () => {
    const home = homeWith(long)
    const file = join(home.home, 'chat.json')
    writeFileSync(file, JSON.stringify([{ role: 'user', content: 'Fix the login.' }]))
    const { code, err } = await runMain(['resume', file], { env: home.env, cwd: home.home })
    expect(code).toBe(1)
    expect(err).toContain('Name a client: --in claude-code')
  })
})
