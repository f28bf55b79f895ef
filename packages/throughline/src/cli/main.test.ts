import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, movedCommands } from './commands.ts'
import { main } from './main.ts'
import { capturedIo } from './testing/captured-io.ts'
import { claudeSession } from './testing/claude-session.ts'
import { harnessHome } from './testing/harness-home.ts'
import { newFile, runMain } from './testing/run-main.ts'

describe('help', () => {
  it('names every command, and every option of each with examples', async () => {
    const all = await runMain(['--help'])
    expect(all).toMatchObject({ code: 0, err: '' })
    for (const { name, load } of commands) {
      const { options, examples, ...command } = await load()
      expect(command.name).toBe(name)
      expect(all.out).toContain(`\n  ${name} `)
      const own = await runMain([name, '--help'])
      expect(own).toMatchObject({ code: 0, err: '' })
      for (const option of Object.keys(options)) expect(own.out).toContain(option)
      for (const example of Object.keys(examples)) expect(own.out).toContain(example)
      expect(await runMain(['help', name])).toEqual(own)
    }
  })

  it('fits 80 columns, but for examples that are to be copied', async () => {
    for (const argv of [['--help'], ...commands.map(({ name }) => [name, '--help'])]) {
      const { out } = await runMain(argv)
      const long = out
        .split('\n')
        .filter((line) => line.length > 92 && !line.includes('throughline '))
      expect(long).toEqual([])
    }
  })

  it('is what comes without a command, on standard error, as wrong usage', async () => {
    const { code, out, err } = await runMain([])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('Usage: throughline <command>')
  })
})

it('says its version', async () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  for (const word of ['--version', '-V', '-v', 'version']) {
    expect(await runMain([word])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  }
})

describe('wrong usage', () => {
  it.each([
    [['compcat', 'x'], 'unknown command "compcat". Did you mean compact?'],
    [['frobnicate'], 'unknown command "frobnicate". See: throughline --help'],
    [['--verison'], 'unknown option "--verison". Did you mean --version?'],
    [['help', 'reprot'], 'unknown command "reprot". Did you mean report?'],
    [['compact'], 'which session?'],
    [
      ['compact', '--if-needed', 'x', '--fromat', 'text'],
      'unknown option --fromat; did you mean --format?',
    ],
    [['compact', '--if-needed', 'x', '--format', 'markdow'], 'did you mean markdown?'],
    [
      ['compact', '--if-needed', 'x', '--window', 'nonsense'],
      '--window must be a number of tokens, such as 8000, 32k or 1m, not "nonsense"',
    ],
    [['compact', '--if-needed', 'x', '--window', 'NaN'], 'not "NaN"'],
    [['compact', '--if-needed', 'x', '--window', '-5'], 'not "-5"'],
    [['compact', '--if-needed', 'x', '--window', '0'], 'not "0"'],
    [['compact', '--if-needed', 'x', '--keep', '1e9k'], 'not "1e9k"'],
    [['report', '--fill', 'x', '--window', 'Infinity'], 'not "Infinity"'],
    [['report', '--fill', 'x', '--top', '0'], '--top must be a whole number, 1 or more, not "0"'],
    [['compact', '--if-needed', 'x', '--json', '--format', 'text'], 'omit --format'],
    [['compact', '--if-needed', 'x', '--dry-run', '-o', 'y'], 'omit -o'],
  ])('%j is one line on standard error and exit code 2', async (argv, message) => {
    const { code, out, err } = await runMain(argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toMatch(/^throughline: [^\n]*\n$/)
  })

  it('is a --keep that the window cannot hold', async () => {
    const path = newFile('session.jsonl', claudeSession())
    const { code, err } = await runMain([
      'compact',
      '--if-needed',
      path,
      '--window',
      '32k',
      '--keep',
      '30k',
    ])
    expect(code).toBe(2)
    expect(err).toMatch(
      /^throughline: --keep 30k does not fit in a window of 32k, which has 24k .*\n$/,
    )
  })
})

describe('a command of an earlier version', () => {
  it.each([
    ['inspect', ['SESSION', '--top', '3'], ['report', '--fill', 'SESSION', '--top', '3']],
    ['show', ['SESSION', '1'], ['report', '--history', 'SESSION', '1']],
    ['show', ['SESSION', '--log'], ['report', '--log', 'SESSION']],
    ['sessions', [], ['list', '--stored']],
    [
      'handoff',
      ['SESSION', '--to', 'codex'],
      ['compact', '--if-needed', 'SESSION', '--to', 'codex'],
    ],
  ])('%s %j does what it did, and one line says how it is called now', async (old, rest, now) => {
    const file = newFile('session.jsonl', claudeSession())
    const setting = { cwd: dirname(file), env: { THROUGHLINE_STORE: join(dirname(file), 'none') } }
    const named = (words: readonly string[]) =>
      words.map((word) => (word === 'SESSION' ? 'session.jsonl' : word))
    const before = await runMain([old, ...named(rest)], setting)
    const after = await runMain(named(now), setting)
    const withoutIds = (text: string) =>
      text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:-]+(?:\.\d+Z)?/g, '')
    expect(withoutIds(before.out)).toBe(withoutIds(after.out))
    expect(before.code).toBe(after.code)
    const [line, ...more] = before.err.split('\n')
    expect(line).toMatch(new RegExp(`^throughline: ${old} is now "throughline [^"]+"`))
    expect(more.join('\n')).toBe(after.err)
  })

  it('is handed to resume where it was installed', async () => {
    const file = newFile('session.jsonl', claudeSession())
    const { env } = harnessHome()
    const ran = await runMain(['handoff', file, '--to', 'codex', '--install'], { env })
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('codex resume ') })
  })

  it.each(['replay', 'eval'])('that measured is in the bench: %s', async (old) => {
    const { code, err } = await runMain([old, 'session.jsonl'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/npm run bench:\w+\.\n$/) })
  })

  it.each(['fork', 'drop'])('that is gone says what does the same: %s', async (old) => {
    const { code, err } = await runMain([old, 'made'])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(new RegExp(`^throughline: throughline ${old} is gone: .+\\.\n$`)),
    })
  })

  it('is not offered anymore', async () => {
    for (const old of movedCommands.keys()) {
      expect(commands.map(({ name }) => name)).not.toContain(old)
    }
  })
})

describe('an error inside', () => {
  const broken = (
    env: Record<string, string>,
    error = new TypeError('no\u001b[31m such thing'),
  ) => {
    const captured = capturedIo({ env })
    const write = async (): Promise<never> => {
      throw error
    }
    return { ...captured, io: { ...captured.io, stdout: { ...captured.io.stdout, write } } }
  }

  it('is one line that says how to see more', async () => {
    const { io, err } = broken({})
    expect(await main(['--version'], io)).toBe(1)
    expect(err()).toBe(
      'throughline: an internal error occurred (TypeError: no such thing). Set THROUGHLINE_DEBUG=1 to see where, and please report it.\n',
    )
  })

  it('says of a full disk what to do, also where the system names no file', async () => {
    const full = (path?: string, dest?: string) =>
      Object.assign(new Error('ENOSPC: no space left on device, write'), {
        syscall: 'write',
        ...(path !== undefined && { path }),
        ...(dest !== undefined && { dest }),
      })
    for (const [error, said] of [
      [full(), 'no space left on device (write). Check the permissions and the room on the disk,'],
      [full('/from', '/to'), '/to: no space left on device (write). Check'],
    ] as const) {
      const { io, err } = broken({}, error)
      expect(await main(['--version'], io)).toBe(1)
      expect(err()).toContain(`throughline: ${said}`)
    }
  })

  it('shows where it came from with THROUGHLINE_DEBUG=1', async () => {
    const { io, err } = broken({ THROUGHLINE_DEBUG: '1' })
    expect(await main(['--version'], io)).toBe(1)
    expect(err()).toContain('main.test.ts:')
  })
})

it('is quiet when the reader of its output has gone', async () => {
  const path = newFile('session.jsonl', claudeSession())
  for (const command of [['compact'], ['report', '--fill']]) {
    const { code, out, err } = await runMain([...command, path], { closedAfter: 0 })
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).not.toContain('throughline:')
  }
})
