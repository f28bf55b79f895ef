import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { commands } from '../commands.ts'
import { claudeSession } from '../testing/claude-session.ts'
import { harnessHome } from '../testing/harness-home.ts'
import { newDirectory } from '../testing/run-main.ts'
import { newTestStore, testStoreWithSession } from '../testing/new-store.ts'

/** Commands that take a session of the store and nothing else, with what they need besides. */
const onStored: readonly (readonly string[])[] = [
  ['undo'],
  ['pin', 'a text'],
  ['pin', '--remove', '3'],
  ['redact', '2', '--yes'],
  ['delete', '--yes'],
  ['export'],
]
const onAny: readonly (readonly string[])[] = [
  ['compact'],
  ['report', '--fill'],
  ['report', '--history'],
  ['recall', 'x'],
]
const called = ([command = '', ...rest]: readonly string[], session: string): string[] => [
  command,
  session,
  ...rest,
]

describe('a store that cannot be read', () => {
  /** One from before the first release, with a session of Claude Code on the same machine. */
  async function brokenStore() {
    const store = await testStoreWithSession()
    const database = new DatabaseSync(store.file)
    database.exec('PRAGMA user_version = 1')
    database.close()
    const { env, home, put } = harnessHome()
    put('claude-code', 'f0000000-0000-4000-8000-000000000001', claudeSession({ turns: 1 }))
    const setting = { env: { ...env, THROUGHLINE_STORE: store.file }, cwd: home }
    return { ...store, setting }
  }

  it('stops no command on a session outside of it, which says so in one line', async () => {
    const { run, setting, file } = await brokenStore()
    for (const argv of [
      ['report', 'claude:f0000000', '--text'],
      ['report', '--fill', 'f0000000'],
      ['compact', 'latest'],
      ['resume', 'claude:latest', '--print'],
      ['recall', 'claude:latest', 'feature'],
      ['report', '--history', 'claude:latest'],
      ['search', 'feature'],
    ]) {
      const { code, out, err } = await run(argv, setting)
      expect([code, out === ''], argv.join(' ')).toEqual([0, false])
      const told = err.split('\n').filter((line) => line.includes('from before the first release'))
      expect(told, argv.join(' ')).toHaveLength(1)
      expect(told[0]).toMatch(/^throughline: not (looked for in the store|searched): /)
      expect(told[0]).toContain(file)
    }
  })

  it('stops what needs it with one line that says what to do', async () => {
    const { fails, setting } = await brokenStore()
    for (const argv of [
      ['list', '--stored'],
      ['undo', 'made'],
      ['compact', 'made'],
      ['report', 'made'],
    ]) {
      expect(await fails(1, argv, setting)).toContain('Move the file away to begin a new store')
    }
  })
})

describe('where the store is', () => {
  it('is what --store says, else the environment, else the configuration, else the data folder', async () => {
    const { run, directory } = newTestStore()
    const data = newDirectory()
    const home = newDirectory()
    mkdirSync(join(home, '.config/throughline'), { recursive: true })
    writeFileSync(
      join(home, '.config/throughline/throughline.config.json'),
      JSON.stringify({ store: join(directory, 'by-config.db') }),
    )
    const imported = async (env: Record<string, string>, ...options: string[]): Promise<void> => {
      const { code } = await run(['import', 'session.jsonl', ...options], { cwd: directory, env })
      expect(code).toBe(0)
    }
    const env = { THROUGHLINE_STORE: join(directory, 'by-env.db'), XDG_DATA_HOME: data, HOME: home }
    await imported(env, '--store', 'by-option.db')
    await imported(env)
    await imported({ ...env, THROUGHLINE_STORE: '' })
    await imported({ ...env, THROUGHLINE_STORE: '' }, '--no-config')
    for (const file of ['by-option.db', 'by-env.db', 'by-config.db'])
      expect(existsSync(join(directory, file)), file).toBe(true)
    expect(existsSync(join(data, 'throughline/sessions.db'))).toBe(true)
  })

  it('is asked for where nothing says it', async () => {
    const { fails } = newTestStore()
    const err = await fails(1, ['list', '--stored'], { env: {} })
    expect(err).toContain('not known where sessions are stored')
    expect(err).toContain('--store FILE')
  })
})

describe('a store that is not there', () => {
  it('is not made by anything but an import, and that is said', async () => {
    const { fails, directory, file } = newTestStore()
    for (const argv of [['list', '--stored'], ...onStored.map((each) => called(each, 'made'))]) {
      expect(await fails(1, argv)).toBe(
        'throughline: there is no session store yet: sessions.db. To create it with a first session: throughline import FILE\n',
      )
    }
    for (const argv of onAny) {
      expect(await fails(1, called(argv, 'made'))).toContain('there is no such file')
    }
    expect(existsSync(file)).toBe(false)
    expect(existsSync(join(directory, 'sessions.db-wal'))).toBe(false)
  })

  it('is not made of an empty file by looking at it', async () => {
    const { fails, file } = newTestStore()
    writeFileSync(file, '')
    await fails(1, ['list', '--stored'])
    expect(statSync(file).size).toBe(0)
  })

  it('is made with its folders by an import, for its user alone', async () => {
    const { done, directory } = newTestStore()
    const file = join(directory, 'new', 'deep', 's.db')
    await done('import', 'session.jsonl', '--store', file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await done('list', '--stored', '--store', file)).toContain('made')
  })
})

describe.skipIf(process.platform === 'win32')('a store that other users may read', () => {
  it('is told once by each command, and left as it is', async () => {
    const { run, file } = await testStoreWithSession()
    chmodSync(file, 0o644)
    for (const argv of [
      ['list', '--stored'],
      ['report', '--history', 'made'],
      ['import', 'session.jsonl', '--as', 'b'],
    ]) {
      const { code, err } = await run(argv)
      expect(code).toBe(0)
      expect(err.match(/other users may read sessions\.db \(mode 644\)/g)).toHaveLength(1)
    }
    expect(statSync(file).mode & 0o777).toBe(0o644)
    chmodSync(file, 0o600)
    expect((await run(['list', '--stored'])).err).toBe('')
  })

  it('is told of an old file that a session was written over', async () => {
    const { run, directory } = await testStoreWithSession()
    const out = join(directory, 'out.jsonl')
    writeFileSync(out, 'old')
    chmodSync(out, 0o644)
    const { err } = await run(['export', 'made', '-o', 'out.jsonl'])
    expect(err).toContain('other users may read out.jsonl (mode 644)')
    expect((await run(['export', 'made', '-o', 'new.jsonl'])).err).not.toContain('other users')
    expect(statSync(join(directory, 'new.jsonl')).mode & 0o777).toBe(0o600)
  })
})

describe('a file that is no store', () => {
  it.each([
    [
      'a text',
      (path: string) => writeFileSync(path, 'hello'),
      'is not a Throughline session store',
    ],
    ['a directory', (path: string) => mkdirSync(path), 'cannot be opened'],
    [
      'the database of something else',
      (path: string) => {
        const database = new DatabaseSync(path)
        database.exec('CREATE TABLE x (y)')
        database.close()
      },
      'is not a Throughline session store',
    ],
    [
      'of a newer Throughline',
      (path: string) => {
        const database = new DatabaseSync(path)
        database.exec(
          'PRAGMA application_id = 0x54686c6e; PRAGMA user_version = 999; CREATE TABLE x (y)',
        )
        database.close()
      },
      'was written by a newer Throughline',
    ],
  ])('is left alone and named: %s', async (_, make, message) => {
    const { fails, directory } = newTestStore()
    const path = join(directory, 'other.db')
    make(path)
    const before = statSync(path).isFile() ? readFileSync(path) : undefined
    for (const argv of [
      ['list', '--stored'],
      ['import', 'session.jsonl'],
      ['undo', 'made'],
      ['report', '--history', 'made'],
    ]) {
      expect(await fails(1, [...argv, '--store', path])).toContain(message)
    }
    if (before) expect(readFileSync(path)).toEqual(before)
  })

  it('is said of a place where none can be made', async () => {
    const { fails } = newTestStore()
    const err = await fails(1, ['import', 'session.jsonl', '--store', 'session.jsonl/x.db'])
    expect(err).toContain('session.jsonl/x.db')
  })
})

describe('a word that names a session', () => {
  it('is its name, or a beginning of four characters that no other has', async () => {
    const { done, fails } = newTestStore()
    for (const name of ['parser-one', 'parser-two', 'parser', 'other']) {
      await done('import', 'session.jsonl', '--as', name)
    }
    expect(await done('report', '--history', 'othe', '1')).toContain('feature 1')
    // A whole name is never a beginning.
    expect(JSON.parse(await done('report', '--history', 'parser', '1', '--json')).session).toBe(
      'parser',
    )
    for (const argv of [...onStored, ...onAny]) {
      const ambiguous = await fails(1, called(argv, 'parser-'))
      expect(ambiguous).toContain('parser-two, parser-one. Use more of the name.')
      expect(await fails(1, called(argv, 'oth'))).toContain('at least 4 characters')
      expect(await fails(1, called(argv, 'parser-tow'))).toContain('Did you mean parser-two?')
      expect(await fails(1, called(argv, 'frobnicate'))).toContain(
        'To list all names: throughline list --stored',
      )
    }
  })

  it('is a file where there is one, whatever the store holds', async () => {
    const { done, directory } = await testStoreWithSession()
    writeFileSync(join(directory, 'made'), readFileSync(join(directory, 'session.jsonl')))
    expect(JSON.parse(await done('report', '--history', 'made', '1', '--json'))).toMatchObject({
      format: 'claude-code',
      session: 'made',
    })
    await done('compact', 'made')
    expect(await done('report', '--history', 'made', '--log')).not.toContain('checkpoint')
  })

  it('is a session where there is but a directory of that name', async () => {
    const { done, directory, fails } = await testStoreWithSession()
    mkdirSync(join(directory, 'made'))
    mkdirSync(join(directory, 'none'))
    expect(await done('report', '--fill', 'made')).toContain('made')
    expect(await fails(1, ['report', '--fill', 'none'])).toContain('this is a directory')
  })

  it('that is a file is told from a session that has to be stored', async () => {
    const { fails } = await testStoreWithSession()
    for (const argv of onStored) {
      const err = await fails(1, called(argv, 'session.jsonl'))
      expect(err).toContain(
        'It is a file; add it to the store first: throughline import session.jsonl',
      )
    }
  })

  it('may be what nobody can type: then its beginning does', async () => {
    const { inside, done } = await testStoreWithSession()
    const id = 'x y\u001b[31m\u202e\n$(rm)'
    await inside((store) => store.append(id, [{ kind: 'pin', at: 0, text: 'kept' }]))
    const list = await done('list', '--stored')
    expect(list).toContain('x y $(rm)')
    expect(list).not.toMatch(/[\u001b\u202e]/)
    expect(await done('report', '--history', 'x y ', '1')).toContain('kept')
    expect(await done('pin', 'x y $(rm)', 'more')).toContain(
      `throughline pin --remove 'x y $(rm)' 2`,
    )
  })
})

it('every command that works in the store takes --store, and says so', async () => {
  const elsewhere = new Set(['Sessions of harnesses', 'Inside clients'])
  for (const { name, load } of commands.filter(
    ({ group, name }) => !elsewhere.has(group) && name !== 'completions',
  )) {
    const { options } = await load()
    const names = Object.keys(options)
    expect(
      names.some((option) => option.startsWith('--store ')),
      name,
    ).toBe(true)
  }
})
