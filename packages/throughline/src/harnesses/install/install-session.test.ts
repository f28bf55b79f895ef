import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harnesses } from '../../formats/harnesses.ts'
import { runs } from '../../testing/generate/runs.ts'
import { surroundingsOf } from '../find-program.ts'
import { newFolder, put } from '../testing/temporary.ts'
import { directoryFor, realDirectory } from './directory-for.ts'
import { installSession, pathFor } from './install-session.ts'
import type { Harness } from '../../formats/writing/harness.ts'

const session = '5e55104e-0000-4000-8000-000000000001'
const now = Date.UTC(2026, 0, 2)

function named(name: string): Harness {
  const harness = harnesses.find((each) => each.name === name)
  if (!harness) throw new Error(`no harness ${name}`)
  return harness
}

/** What a session of somebody else may say of itself. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('..', '.', '', 'a', '/', '\\', 'C:', '\0', '~', '$HOME'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('/')),
  fc.constantFrom(
    '../../../../etc',
    '/',
    '\0',
    'x'.repeat(10_000),
    '/../..',
    '\\\\host\\share',
    'C:\\..\\..',
  ),
)

describe('where a session goes', () => {
  it.each(harnesses.filter((harness) => harness.placeFor({ session, directory: '/a', now })))(
    'is below the folder of $name, whatever its directory and its id are',
    (harness) => {
      fc.assert(
        fc.property(hostile, hostile, fc.boolean(), (directory, id, isWindows) => {
          const home = isWindows ? 'C:\\home\\me' : '/home/me'
          const surroundings = surroundingsOf(
            { HOME: home, USERPROFILE: home },
            isWindows ? 'win32' : 'linux',
          )
          const path = isWindows ? win32 : posix
          const [root = ''] = harness.roots(surroundings)
          for (const given of [session, id]) {
            let file: string | undefined
            try {
              file = pathFor(harness, surroundings, { session: given, directory, now })
            } catch (error) {
              expect(error).toMatchObject({ code: 'INSTALL', failure: 'outside' })
              continue
            }
            const below = path.relative(root, path.normalize(file ?? root))
            expect(path.isAbsolute(below)).toBe(false)
            expect(below).not.toMatch(isWindows ? /^$|^\.\.|[\0:]/ : /^$|^\.\.|\0/)
          }
        }),
        runs(200),
      )
    },
  )

  it('is not known without a home', () => {
    const placed = { session, directory: '/a', now }
    expect(() => pathFor(named('codex'), surroundingsOf({}), placed)).toThrow(
      'not known where codex keeps its sessions',
    )
  })
})

describe('the directory in which it goes on', () => {
  it('is its own where that is one on this machine', async () => {
    const here = newFolder()
    const file = put(join(here, 'file'), 'x')
    expect(await directoryFor(here, '/here', posix)).toBe(here)
    for (const other of [
      undefined,
      '',
      'relative',
      file,
      join(here, 'missing'),
      `${here}/../${here}`,
      `${here}\0`,
      '//host/share',
      `/${'x'.repeat(10_000)}`,
      'C:\\code',
    ]) {
      expect(await directoryFor(other, '/here', posix)).toBe('/here')
    }
  })

  it('is the real one where a user names a link', async () => {
    const here = newFolder()
    const link = join(newFolder(), 'link')
    symlinkSync(here, link)
    expect(await realDirectory(link)).toBe(await realDirectory(here))
    expect(await realDirectory(join(here, 'missing'))).toBeUndefined()
    expect(await realDirectory(put(join(here, 'file'), 'x'))).toBeUndefined()
  })
})

describe('installSession', () => {
  const written = { session, text: 'the session\n' }

  function options(home: string, variables: Record<string, string> = {}) {
    const surroundings = surroundingsOf({ HOME: home, ...variables })
    const folder = join(home, 'kept')
    return { surroundings, directory: home, directoryFrom: 'user', folder, now } as const
  }

  it('makes the folders and the file for its user alone, and says how to go on', async () => {
    const home = newFolder()
    const done = await installSession(named('claude-code'), written, options(home))
    expect(done).toMatchObject({ how: 'placed', resume: [['claude', '--resume', session]] })
    const file = done.file ?? ''
    expect(readFileSync(file, 'utf8')).toBe('the session\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(readdirSync(dirname(file))).toEqual([`${session}.jsonl`])
  })

  it('is found whole or not at all, and leaves nothing beside it', async () => {
    const home = newFolder()
    const folder = join(home, '.claude/projects')
    const long = { session, text: 'line of the session\n'.repeat(500_000) }
    const sizes = new Set<number>()
    const done = installSession(named('claude-code'), long, options(home))
    const state = { ended: false }
    void done.finally(() => (state.ended = true))
    while (!state.ended) {
      for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true }) : []) {
        const file = join(folder, String(name))
        const found = statSync(file, { throwIfNoEntry: false })
        if (!found?.isFile()) continue
        expect(found.mode & 0o777).toBe(0o600)
        if (file.endsWith('.jsonl')) sizes.add(found.size)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { file = '' } = await done
    sizes.add(statSync(file).size)
    expect([...sizes]).toEqual([long.text.length])
    expect(readdirSync(dirname(file))).toEqual([`${session}.jsonl`])
  })

  it.each([
    ['copilot-cli', 'workspace.yaml', 'name: "What it was · compacted"'],
    ['kimi-code', '../../state.json', '"title":"What it was · compacted","titleKind":"custom"'],
    ['cline', `${session}.json`, '"title": "What it was · compacted"'],
  ])('writes what %s needs beside it: %s', async (name, path, title) => {
    const home = newFolder()
    const harness = named(name)
    const said = { messages: [], title: 'What it was · compacted', facts: {} }
    const identity = { session, newId: () => session, now, directory: home }
    const whole = harness.writer.write(said, identity)
    const { file = '' } = await installSession(harness, whole, options(home))
    const beside = join(dirname(file), path)
    expect(readFileSync(beside, 'utf8')).toContain(title)
    expect(statSync(beside).mode & 0o777).toBe(0o600)
    await expect(installSession(harness, whole, options(home))).rejects.toMatchObject({
      failure: 'exists',
    })
  })

  it('names a session of Copilot so that its list shows the mark', () => {
    const title = 'Find out why the parser is slow, and mend it · compacted'
    const said = { messages: [], title, facts: {} }
    const identity = { session, newId: () => session, now, directory: '/w' }
    const { beside } = named('copilot-cli').writer.write(said, identity)
    const [file] = beside?.('') ?? []
    expect(file?.text).toContain('name: "Find out why the… · compacted"')
  })

  it('adds its name to the list in which Codex looks names up, behind those that stand there', async () => {
    const home = newFolder()
    const list = join(home, '.codex/session_index.jsonl')
    put(list, '{"id":"older","thread_name":"Another"}')
    const said = { messages: [], title: 'What it was · compacted', facts: {} }
    const identity = { session, newId: () => session, now, directory: home }
    const whole = named('codex').writer.write(said, identity)
    await installSession(named('codex'), whole, options(home))
    const lines = readFileSync(list, 'utf8').split('\n')
    expect(lines).toEqual([
      '{"id":"older","thread_name":"Another"}',
      expect.stringContaining(`{"id":"${session}","thread_name":"What it was · compacted"`),
      '',
    ])
    // A harness that forbids it keeps the session all the same.
    const other = newFolder()
    mkdirSync(join(other, '.codex/session_index.jsonl'), { recursive: true })
    expect(await installSession(named('codex'), whole, options(other))).toMatchObject({
      how: 'placed',
    })
  })

  it('never writes over a file', async () => {
    const home = newFolder()
    const { file = '' } = await installSession(named('codex'), written, options(home))
    const again = installSession(named('codex'), { session, text: 'another' }, options(home))
    await expect(again).rejects.toMatchObject({ code: 'INSTALL', failure: 'exists' })
    expect(readFileSync(file, 'utf8')).toBe('the session\n')
  })

  it('says what is in its way', async () => {
    const home = newFolder()
    put(join(home, '.codex'), 'a file')
    await expect(installSession(named('codex'), written, options(home))).rejects.toMatchObject({
      failure: 'not-written',
      message: expect.stringMatching(/\(ENOTDIR\)|\(EEXIST\)/),
    })
  })

  it('says that a directory is too long for Qwen Code, which knows no limit', async () => {
    const home = newFolder()
    const directory = `/${'long/'.repeat(60)}`
    await expect(
      installSession(named('qwen-code'), written, { ...options(home), directory }),
    ).rejects.toMatchObject({ failure: 'too-long', harness: 'qwen-code' })
  })

  /** A program in a folder of its own that notes how it was called. */
  function program(name: string, script: string): { PATH: string; log: string } {
    const folder = newFolder()
    const log = join(folder, 'log')
    const text = `#!/bin/sh\necho "$PWD" "$@" >> '${log}'\ncat "$2" >> '${log}'\n${script}\n`
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
    return { PATH: `${folder}:/usr/bin:/bin`, log }
  }

  it('lets opencode import it, in its directory, and leaves no file behind', async () => {
    const home = newFolder()
    const { PATH, log } = program('opencode', 'exit 0')
    const done = await installSession(named('opencode'), written, options(home, { PATH }))
    const resume = [['opencode', '--session', session]]
    expect(done).toEqual({ how: 'imported', file: undefined, resume })
    const [call = '', text] = readFileSync(log, 'utf8').split('\n')
    const [directory, command, file = ''] = call.split(' ')
    expect({ directory, command, text }).toEqual({
      directory: await realDirectory(home),
      command: 'import',
      text: 'the session',
    })
    expect(existsSync(file)).toBe(false)
  })

  it('keeps the file that a harness is told of', async () => {
    const home = newFolder()
    const done = await installSession(named('gemini-cli'), written, options(home))
    const file = join(home, 'kept', `${session}.json`)
    expect(done).toEqual({ how: 'placed', file, resume: [['gemini', '--session-file', file]] })
    expect(readFileSync(file, 'utf8')).toBe('the session\n')
  })

  it('says what opencode said where that did not take it', async () => {
    const { PATH } = program('opencode', 'echo "Missing key at info" >&2; exit 1')
    const done = installSession(named('opencode'), written, options(newFolder(), { PATH }))
    await expect(done).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('ended with 1: Missing key at info'),
    })
  })

  it('leaves the commands to the user where opencode is not at hand, or not to be run there', async () => {
    const home = newFolder()
    const { PATH, log } = program('opencode', 'exit 0')
    mkdirSync(join(home, 'bin'))
    for (const other of [
      options(home, { PATH: '/nowhere' }),
      options(home, { PATH: `.:${':bin'}` }),
      { ...options(home, { PATH }), directoryFrom: 'session' as const },
    ]) {
      const { how, file = '', resume } = await installSession(named('opencode'), written, other)
      expect({ how, file }).toEqual({ how: 'waiting', file: join(home, 'kept', `${session}.json`) })
      expect(readFileSync(file, 'utf8')).toBe('the session\n')
      expect(resume).toEqual([
        ['opencode', 'import', file],
        ['opencode', '--session', session],
      ])
      rmSync(file)
    }
    expect(existsSync(log)).toBe(false)
  })

  it('stops the program when it is told to', async () => {
    const { PATH } = program('opencode', 'exec sleep 60')
    const controller = new AbortController()
    const done = installSession(named('opencode'), written, {
      ...options(newFolder(), { PATH }),
      signal: controller.signal,
    })
    controller.abort(new Error('enough'))
    await expect(done).rejects.toThrow('enough')
  })
})
