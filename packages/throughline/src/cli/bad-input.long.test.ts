import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { explainError } from './errors.ts'
import { cannotRead } from './source/read-session.ts'
import { main } from './main.ts'
import { capturedIo } from './testing/captured-io.ts'
import { claudeSession } from './testing/claude-session.ts'
import { newDirectory, newFile, runMain } from './testing/run-main.ts'

const commands = [['compact'], ['report', '--fill']] as const

/** One clear line, exit code 1, nothing printed. */
async function failure(argv: readonly string[], input?: string | Uint8Array): Promise<string> {
  const { code, out, err } = await runMain(argv, input === undefined ? {} : { input })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^throughline: [^\n]*\n$/)
  expect(err).not.toMatch(/\bat .*:\d+:\d+|an internal error/)
  return err
}

it('says in one line what the system would not do', async () => {
  const file = newFile('file', '')
  const { io, err } = capturedIo()
  try {
    mkdirSync(join(file, 'below'))
  } catch (error) {
    await explainError(error, io)
  }
  expect(err()).toMatch(/^throughline: .*below: not a directory \(mkdir\)\. Check the permissions/)
})

describe.each(commands.map((command) => [command.join(' '), command] as const))(
  '%s of what is no session',
  (_, command) => {
    it.each([
      ['a missing file', () => join(newDirectory(), 'none.jsonl'), 'there is no such file'],
      [
        'a path below a file',
        () => `${newFile('a', 'x')}/b`,
        'a part of the path is not a directory',
      ],
      ['an empty file', () => newFile('a.jsonl', ''), 'the session is empty: 0 bytes were read'],
      ['blank lines', () => newFile('a.jsonl', '\n\n  \n'), 'contain no record'],
      [
        'plain text',
        () => newFile('a.txt', 'Dear diary\n'),
        'line 1 contains text that is not JSON',
      ],
      ['other JSON', () => newFile('a.json', '{"a":1}\n'), 'a JSON object with the keys "a"'],
      ['a database', () => newFile('a.db', 'SQLite format 3\0...'), 'a SQLite database'],
      ['bytes', () => newFile('a.bin', new Uint8Array(5000).fill(0)), 'binary data'],
      ['a name as long as a session', () => 'x'.repeat(5000), 'the path is too long'],
    ])('says of %s what it is and what to do', async (_, path, message) => {
      expect(await failure([...command, path()])).toContain(message)
    })

    it('says the same of standard input', async () => {
      expect(await failure([...command, '-'], '')).toContain('standard input: the session is empty')
      expect(await failure([...command, '-'], 'hello')).toContain(
        'standard input: this is not a session',
      )
    })

    it('says that a session without messages holds none', async () => {
      const path = newFile('a.jsonl', '{"type":"summary","summary":"x","leafUuid":"y"}\n')
      expect(await failure([...command, path])).toContain('the session has no messages')
    })

    it('reads a line of 50 MB that is none to its end', async () => {
      const path = newFile('a.jsonl', `${'x'.repeat(50_000_000)}\n`)
      expect(await failure([...command, path])).toContain('line 1 contains text that is not JSON')
    })
  },
)

describe('a file that may not be read', () => {
  it('is named with what to do', () => {
    expect(cannotRead('a.jsonl', { code: 'EACCES' })).toBe(
      'a.jsonl: permission denied. Change the file’s permissions, or read it as its owner.',
    )
    expect(cannotRead('a\u001b[2Jb', { code: 'EIO' })).toContain('cannot be read (EIO)')
  })

  it.skipIf(process.getuid?.() === 0)('is one line', async () => {
    const path = newFile('a.jsonl', claudeSession())
    chmodSync(path, 0)
    expect(await failure(['report', '--fill', path])).toContain('permission denied')
  })

  it('is one line where a link leads in circles', async () => {
    const path = join(newDirectory(), 'loop')
    symlinkSync(path, path)
    expect(await failure(['report', '--fill', path])).toContain('leads in circles')
  })
})

describe('standard input that cannot be read', () => {
  it('is one line', async () => {
    const { io, err } = capturedIo()
    const stdin = {
      isTerminal: false,
      chunks: async function* (): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode('{')
        throw Object.assign(new Error('EISDIR: illegal operation'), { code: 'EISDIR' })
      },
      hiddenLine: async () => undefined,
      choose: async () => undefined,
    }
    expect(await main(['report', '--fill', '-'], { ...io, stdin })).toBe(1)
    expect(err()).toBe(
      'throughline: standard input: this is a directory. Give the path of one session file in it.\n',
    )
  })
})

describe('a damaged session', () => {
  const whole = claudeSession()

  it('works without the line that is torn, and names it', async () => {
    const torn = whole.slice(0, -40)
    const lines = whole.trimEnd().split('\n').length
    for (const command of commands) {
      const { code, out, err } = await runMain([...command, '-', '--window', '32k'], {
        input: torn,
      })
      expect(code).toBe(0)
      expect(out + err).toContain(`1 damaged line: line ${lines} (torn`)
    }
  })

  it('names the first bad lines and counts the rest', async () => {
    const bad = whole.replaceAll('\n', '\n{"broken\n')
    const { code, err } = await runMain(['compact', '-'], { input: bad })
    expect(code).toBe(0)
    expect(err).toMatch(
      /damaged lines: line 2 \([^)]*\), line 4 \([^)]*\), line 6 \([^)]*\), \d+ more/,
    )
  })

  it('works with a single line of 50 MB in it', async () => {
    const [first = '', ...rest] = whole.split('\n')
    const long = first.replace('Please', `Please ${'word '.repeat(10_000_000)}`)
    const { code, out } = await runMain(['report', '--fill', '-', '--json'], {
      input: [long, ...rest].join('\n'),
    })
    expect(code).toBe(0)
    expect(JSON.parse(out).context.tokens).toBeGreaterThan(5_000_000)
  })
})

describe('-o', () => {
  const session = newFile('session.jsonl', claudeSession())

  it.each([
    [
      'a directory that is missing',
      () => join(newDirectory(), 'no', 'x'),
      'its directory does not exist',
    ],
    ['the session itself', () => session, 'this is the session itself'],
    ['a path below a file', () => `${session}/x`, 'a part of the path is not a directory'],
  ])('refuses %s before it reads anything', async (_, target, message) => {
    expect(await failure(['compact', session, '-o', target()])).toContain(message)
    // The session does not even exist: the target is looked at first.
    const nowhere = join(newDirectory(), 'no', 'x')
    const missing = await failure(['compact', join(newDirectory(), 'none'), '-o', nowhere])
    expect(missing).toContain('its directory does not exist')
  })

  it('leaves no file behind when the compaction fails', async () => {
    const directory = newDirectory()
    mkdirSync(join(directory, 'sub'))
    writeFileSync(join(directory, 'kept.txt'), 'as it was')
    const err = await failure([
      'compact',
      session,
      '--keep',
      '50',
      '-o',
      join(directory, 'kept.txt'),
    ])
    expect(err).toContain('--keep 50 is less than this session needs')
    expect(readdirSync(directory).sort()).toEqual(['kept.txt', 'sub'])
  })
})

describe('a --keep below what the session needs', () => {
  const path = newFile('session.jsonl', claudeSession({ turns: 8 }))

  it('says the least that works, and that works', async () => {
    const err = await failure(['compact', path, '--keep', '100'])
    const enough = /Use --keep (\d+) or more/.exec(err)?.[1] ?? ''
    const { code } = await runMain(['compact', path, '--keep', enough])
    expect(code).toBe(0)
  })
})

describe('a window below what the session needs', () => {
  const path = newFile(
    'session.jsonl',
    claudeSession({ says: ['Do this. '.repeat(3000)], turns: 1 }),
  )

  it('says what fills it', async () => {
    const { code, err } = await runMain(['compact', path, '--window', '2k'])
    expect(code).toBe(1)
    expect(err).toContain('The context cannot be made to fit')
    expect(err).toContain('the newest human message')
  })
})
