import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import { claudeSession, type SessionShape } from './claude-session.ts'
import { newDirectory, runMain, type Ran } from './run-main.ts'
import type { Entry } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'
import type { Setting } from './captured-io.ts'

/** A separate store for a test, and the command in the store's directory. */
export interface TestStore {
  directory: string
  /** The file of the store. */
  file: string
  run: (argv: readonly string[], setting?: Setting) => Promise<Ran>
  /** The same, which must succeed; returns what it printed. */
  done: (...argv: string[]) => Promise<string>
  /** What it reports as JSON. */
  json: (...argv: string[]) => Promise<ReturnType<typeof JSON.parse>>
  /** It must print one line on standard error and nothing else. */
  fails: (code: number, argv: readonly string[], setting?: Setting) => Promise<string>
  /** Works in the store itself. */
  inside: <Result>(work: (store: Store) => Promise<Result>) => Promise<Result>
  read: (session: string) => Promise<Entry[]>
}

/** A directory with `session.jsonl` in it, and no store yet. */
export function newTestStore(shape: SessionShape = { turns: 12, steps: 6 }): TestStore {
  const directory = newDirectory()
  const file = join(directory, 'sessions.db')
  writeFileSync(join(directory, 'session.jsonl'), claudeSession(shape))
  const run: TestStore['run'] = (argv, setting = {}) =>
    runMain(argv, { cwd: directory, env: { THROUGHLINE_STORE: file }, ...setting })
  const done = async (...argv: string[]): Promise<string> => {
    const { code, out, err } = await run(argv)
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    return out
  }
  const inside: TestStore['inside'] = async (work) => {
    const store = sqliteStore({ file })
    try {
      return await work(store)
    } finally {
      store.close()
    }
  }
  return {
    directory,
    file,
    run,
    done,
    json: async (...argv) => JSON.parse(await done(...argv, '--json')),
    fails: async (expected, argv, setting) => {
      const { code, out, err } = await run(argv, setting)
      expect({ code, out }).toEqual({ code: expected, out: '' })
      expect(err).toMatch(/^throughline: [^\n]*\n$/)
      expect(err).not.toContain('an internal error')
      return err
    },
    inside,
    read: (session) => inside((store) => store.read(session)),
  }
}

/** The same with the session in the store, as `made`. */
export async function testStoreWithSession(shape?: SessionShape): Promise<TestStore> {
  const store = newTestStore(shape)
  await store.done('import', 'session.jsonl')
  return store
}
