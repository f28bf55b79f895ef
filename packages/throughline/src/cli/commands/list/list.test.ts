import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { harnesses } from '../../../formats/harnesses.ts'
import { opencodeExport } from '../../../formats/opencode/sample.ts'
import { main } from '../../main.ts'
import { capturedIo } from '../../testing/captured-io.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { runMain } from '../../testing/run-main.ts'
import { columnsOf } from '../../terminal/columns.ts'
import { bytesText, titleText, shortNames } from './list-lines.ts'

const day = (number: number): number => Date.UTC(2026, 0, number, 12)
const id = (number: number): string => `f000000${number}-0000-4000-8000-000000000001`

const { home, env, put, putInDatabase } = harnessHome()
for (const number of [1, 2, 3]) {
  put('claude-code', id(number), claudeSession({ says: [`Title ${number}.`] }), day(number))
}
const exported = opencodeExport as unknown as Parameters<typeof putInDatabase>[0]
putInDatabase(exported)

async function listed(...argv: string[]) {
  const { code, out, err } = await runMain(['list', ...argv], { env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

describe('list', () => {
  it('shows the sessions of every harness, the newest first', async () => {
    const lines = (await listed()).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^session +written +size +tokens +full +title +directory$/)
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(
        /^claude:f0000003 +2026-01-03 +[\d.]+ kB +~[\d,]+ +\d+% +Title 3\. +\/code\/app$/,
      ),
      expect.stringMatching(/^claude:f0000002 .* Title 2\. /),
      expect.stringMatching(/^claude:f0000001 .* Title 1\. /),
      expect.stringMatching(/^opencode:ses_1 .* Read it\. +\/code$/),
    ])
  })

  it('names each so that another command finds it', async () => {
    const lines = (await listed()).trimEnd().split('\n').slice(1)
    for (const line of lines) {
      const [name = ''] = line.split(' ', 1)
      const { out } = await runMain(['report', '--fill', name], { env })
      expect(out.startsWith(name)).toBe(true)
    }
  })

  it('shows those of a directory, and those written since', async () => {
    const here = harnessHome()
    const session = (cwd: string): string => claudeSession().replaceAll('/code/app', cwd)
    here.put('claude-code', id(1), session('/code/one'), day(1))
    here.put('claude-code', id(2), session('/code/one/below'), day(2))
    here.put('claude-code', id(3), session('/code/other'), day(3))
    const shown = async (...argv: string[]): Promise<string[]> => {
      const { out } = await runMain(['list', ...argv], { env: here.env, cwd: '/code/one' })
      return [...out.matchAll(/^claude:f000000(\d)/gm)].map(([, number]) => number ?? '')
    }
    expect(await shown('--here')).toEqual(['2', '1'])
    expect(await shown('--in', '/code/other')).toEqual(['3'])
    expect(await shown('--in', 'below/')).toEqual(['2'])
    expect(await shown('--in', 'claude', '--since', '2026-01-02')).toEqual(['3', '2'])
    expect(
      (await runMain(['list', '--here', '-n', '1'], { env: here.env, cwd: '/code/one' })).out,
    ).toContain('… and 1 older one')
    expect((await runMain(['list', 'codex', '--in', 'claude'], here)).code).toBe(2)
  })

  it('shows what a session has cost, which is remembered until it changes', async () => {
    const made = harnessHome()
    const usage = { input_tokens: 1_000_000, output_tokens: 0 }
    const costly = (count: number): string =>
      claudeSession({ turns: count }).replaceAll(
        '"stop_reason":"end_turn"',
        `"stop_reason":"end_turn","usage":${JSON.stringify(usage)}`,
      )
    const file = made.put('claude-code', id(1), costly(2), day(1))
    const list = async () => (await runMain(['list'], made)).out
    expect(await list()).toMatch(/ \$10\.00 /)
    expect(await list()).toMatch(/ \$10\.00 /)
    writeFileSync(file, costly(3))
    expect(await list()).toMatch(/ \$15\.00 /)
  })

  it('marks a session that is nearly full', async () => {
    const made = harnessHome()
    const usage = JSON.stringify({ input_tokens: 170_000, output_tokens: 0 })
    const text = claudeSession({ lines: 2_000 })
    const full = text.replace(
      /("stop_reason":"end_turn")(?![^]*"stop_reason")/,
      `$1,"usage":${usage}`,
    )
    made.put('claude-code', id(1), full, day(1))
    made.put('claude-code', id(2), claudeSession(), day(2))
    const { out } = await runMain(['list'], { ...made, terminal: 80 })
    const [, small = '', large = ''] = out.split('\n')
    expect(large).toMatch(/^\u001b\[31mclaude:f0000001 .* 94%! /)
    expect(small).not.toMatch(/!|\u001b/)
  })

  it('cuts no word at any width', async () => {
    const made = harnessHome()
    const says = ['Please look into the surprising behaviour of the checkpoint parser in there.']
    made.put('claude-code', id(1), claudeSession({ says }), day(1))
    for (const terminal of [80, 100, 110, 120]) {
      const { out } = await runMain(['list'], { ...made, terminal })
      const [, words = ''] = /(Please .*?)…/.exec(out) ?? []
      expect(words).not.toBe('')
      expect(`${says[0]} `).toContain(`${words} `)
      for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(terminal)
    }
  })

  it('shows those of one harness, and as many as are asked for', async () => {
    expect(await listed('opencode')).toMatch(/^session.*\nopencode:ses_1 [^\n]*\n$/)
    const lines = (await listed('claude', '-n', '2')).trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toBe('… and 1 older one; --all shows them')
    expect(await listed('claude-code', '--all')).not.toContain('older')
  })

  it('says it to a program', async () => {
    const { version, total, sessions, unreadable } = JSON.parse(await listed('--json', '-n', '1'))
    expect({ version, total, unreadable }).toEqual({
      version: 1,
      total: 4,
      unreadable: { count: 0, files: [] },
    })
    expect(sessions).toEqual([
      {
        session: `claude:${id(3)}`,
        harness: 'claude-code',
        id: id(3),
        written: day(3),
        file: expect.stringContaining(home),
        cost: null,
        bytes: expect.any(Number),
        directory: '/code/app',
        model: 'claude-opus-4-5-20251101',
        entries: 30,
        tokens: { count: expect.any(Number), from: 'estimate' },
        usable: 180_000,
        title: 'Title 3.',
      },
    ])
  })

  it('counts what it cannot read, and shows the rest', async () => {
    const other = harnessHome()
    other.put('claude-code', id(1), claudeSession(), day(1))
    const bad = other.put('claude-code', id(2), 'no session\n', day(2))
    const { code, out } = await runMain(['list'], { env: other.env, cwd: '/code/app' })
    expect(code).toBe(0)
    expect(out).toMatch(/^claude:f0000001 /m)
    expect(out).not.toContain('older')
    expect(out).toContain(
      `1 place could not be read:\n  ${bad.replace(other.home, '~')}\n    This is not a session of claude-code: line 1 contains text that is not JSON\n`,
    )
    const { out: json } = await runMain(['list', '--json'], { env: other.env })
    expect(JSON.parse(json).unreadable).toMatchObject({ count: 1, files: [{ file: bad }] })
  })

  it('says that there is none', async () => {
    const { code, out } = await runMain(['list'], { env: harnessHome().env })
    expect({ code, out }).toEqual({ code: 0, out: 'No sessions were found.\n' })
    expect(await runMain(['list'])).toMatchObject({ code: 0, out: 'No sessions were found.\n' })
  })

  it.each([
    [['list', 'cluade'], 'did you mean claude'],
    [['list', 'codex', '-n', '0'], '--limit must be a whole number, 1 or more, not "0"'],
    [['list', '--all', '--limit', '3'], 'omit --limit'],
  ])('%j is wrong usage', async (argv, message) => {
    const { code, err } = await runMain(argv, { env })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  })

  it('stops at Ctrl-C', async () => {
    const { io, err, interrupt } = capturedIo({ env })
    interrupt()
    expect(await main(['list'], io)).toBe(130)
    expect(err()).toContain('interrupted')
  })

  it.skipIf(process.getuid?.() === 0)('names a folder that is closed to it', async () => {
    const other = harnessHome()
    const folder = join(other.home, '.codex', 'sessions')
    other.put('codex', id(1), claudeSession(), day(1))
    chmodSync(folder, 0)
    const { out } = await runMain(['list'], { env: other.env })
    chmodSync(folder, 0o700)
    expect(out).toContain('(EACCES)')
  })
})

const attack = ' \x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil\u2066\r\n\0\x7f'
const forbidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

describe('in a terminal', () => {
  const other = harnessHome()
  const text = `${attack}${'word '.repeat(100)}漢字`
  const made = claudeSession({ says: [text] }).replaceAll(
    '"/code/app"',
    JSON.stringify(`/x${text}`),
  )
  other.put('claude-code', id(1), made, day(1))
  other.put('claude-code', `--${'é'.repeat(30)}`, made, day(2))
  writeFileSync(join(other.home, 'x'), '')
  other.putInDatabase(
    exported.map(({ info, messages }) => ({ info: { ...info, id: `ses_${attack}` }, messages })),
  )

  it.each([80, 160])('fits %d columns, and nothing attacks it', async (terminal) => {
    for (const argv of [['list'], ['list', '--json']]) {
      const { code, out, err } = await runMain(argv, {
        env: { ...other.env, NO_COLOR: '1' },
        terminal,
      })
      expect(code).toBe(0)
      expect(out).not.toMatch(forbidden)
      expect(err.replaceAll('\r\x1b[2K', '')).not.toMatch(forbidden)
      if (argv.length > 1) continue
      for (const line of out.trimEnd().split('\n')) {
        expect(columnsOf(line)).toBeLessThanOrEqual(terminal)
      }
    }
  })
})

describe('what stands in the list', () => {
  const [harness] = harnesses

  it('names sessions as short as their ids allow', () => {
    if (!harness) throw new Error('no harness')
    const named = (...ids: string[]) => ids.map((id) => ({ harness, id }))
    const all = named('019d7e48-1', '019d7e48-2', '019d7e4', 'ses_aaaaaaaaaaaa', '019d7e48-2')
    expect(shortNames(all.slice(0, 4), all)).toEqual([
      'claude:019d7e48-1',
      'claude:019d7e48-2',
      'claude:019d7e4',
      'claude:ses_aaaaaaaa',
    ])
  })

  it('tells sizes in three digits', () => {
    expect([0, 999, 1000, 9_949, 9_951, 999_400, 999_600, 4_172_618, 3e9].map(bytesText)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '9.9 kB',
      '10 kB',
      '999 kB',
      '1.0 MB',
      '4.2 MB',
      '3.0 GB',
    ])
  })

  it('shows a command without its marks', () => {
    const said = '<command-message>go</command-message>\n<command-name>/go</command-name> <b>x'
    expect(titleText(said)).toBe('go /go <b>x')
  })
})
