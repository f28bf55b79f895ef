import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { harnesses } from '../../formats/harnesses.ts'
import { opencodeExport } from '../../formats/opencode/sample.ts'
import { surroundingsOf } from '../find-program.ts'
import { newFolder, put } from '../testing/temporary.ts'
import { opencodeDatabase } from '../testing/opencode-database.ts'
import { findSessions } from './find-sessions.ts'

const session = '5e55104e-0000-4000-8000-000000000001'
const [exported] = opencodeExport as unknown as Parameters<typeof opencodeDatabase>[1]

function at(home: string) {
  return surroundingsOf({ HOME: home, USERPROFILE: home })
}

describe('findSessions', () => {
  it('finds a session of every harness where that puts one, the newest first', async () => {
    const home = newFolder()
    const placed = { session, directory: '/code', now: 1 }
    const inFiles = harnesses.filter((harness) => harness.roots(at(home)).length > 0)
    inFiles.forEach((harness, index) => {
      const [root = ''] = harness.roots(at(home))
      const path = harness.placeFor(placed) ?? 'code/chats/session-2026-01-02T03-04-5e55104e.jsonl'
      put(join(root, path), 'some text', Date.UTC(2026, 0, 2 + index))
    })
    if (exported) opencodeDatabase(join(home, '.local/share/opencode/opencode.db'), [exported])
    const { sessions, unreadable } = await findSessions(at(home))
    expect(unreadable).toEqual([])
    expect(sessions.map(({ harness }) => harness.name)).toEqual([
      ...inFiles.map(({ name }) => name).toReversed(),
      'opencode',
    ])
    for (const found of sessions.slice(0, -1)) {
      expect(session.startsWith(found.id)).toBe(true)
      expect(found).toMatchObject({ type: 'file', bytes: 9 })
    }
    expect(sessions.at(-1)).toMatchObject({ type: 'database', id: 'ses_1', at: 1 })
  })

  it('passes over what is no session: other files, subagents, links, pipes', async () => {
    const home = newFolder()
    const root = join(home, '.claude/projects')
    const file = put(join(root, '-code', `${session}.jsonl`), 'x')
    put(join(root, '-code', 'agent-1a2b3c4d.jsonl'), 'x')
    put(join(root, '-code', session, 'subagents', 'agent-1.jsonl'), 'x')
    put(join(root, '-code', 'notes.txt'), 'x')
    put(join(home, 'elsewhere', 'secret.jsonl'), 'x')
    symlinkSync(join(home, 'elsewhere'), join(root, 'link'))
    symlinkSync(file, join(root, '-code', 'link.jsonl'))
    mkdirSync(join(root, '-code', 'folder.jsonl'))
    const { sessions } = await findSessions(at(home))
    expect(sessions.map((found) => found.file)).toEqual([file])
  })

  it('leaves out the sessions of opencode’s subagents', async () => {
    const home = newFolder()
    const of = (info: { id: string; parentID?: string }) => ({ info, messages: [] })
    opencodeDatabase(join(home, '.local/share/opencode/opencode-dev.db'), [
      of({ id: 'ses_parent' }),
      of({ id: 'ses_child', parentID: 'ses_parent' }),
    ])
    const { sessions } = await findSessions(at(home))
    expect(sessions.map(({ id }) => id)).toEqual(['ses_parent'])
  })

  it('looks where the variables say, and only there', async () => {
    const home = newFolder()
    put(join(home, '.codex/sessions/2026/01/02/rollout-x.jsonl'), 'x')
    const file = put(join(home, 'own/sessions/2026/01/02/rollout-y.jsonl'), 'x')
    const surroundings = surroundingsOf({ HOME: home, CODEX_HOME: join(home, 'own') })
    const { sessions } = await findSessions(surroundings)
    expect(sessions).toMatchObject([{ id: 'y', file }])
  })

  it('finds nothing where no home is known', async () => {
    expect(await findSessions(surroundingsOf({}))).toEqual({ sessions: [], unreadable: [] })
    expect(await findSessions(surroundingsOf({ HOME: 'relative' }))).toMatchObject({ sessions: [] })
  })

  it('names what it cannot read, and finds the rest', async () => {
    const home = newFolder()
    const database = put(join(home, '.local/share/opencode/opencode.db'), 'this is no database')
    const file = put(join(home, '.claude/projects/-code', `${session}.jsonl`), 'x')
    const { sessions, unreadable } = await findSessions(at(home))
    expect(sessions.map((found) => found.file)).toEqual([file])
    expect(unreadable).toEqual([{ file: database, reason: 'file is not a database' }])
  })

  it.skipIf(process.getuid?.() === 0)('names a folder that is closed to it', async () => {
    const home = newFolder()
    const folder = join(home, '.claude/projects/-code')
    put(join(folder, `${session}.jsonl`), 'x')
    chmodSync(folder, 0)
    const { sessions, unreadable } = await findSessions(at(home))
    chmodSync(folder, 0o700)
    expect({ sessions, unreadable }).toEqual({
      sessions: [],
      unreadable: [{ file: folder, reason: 'EACCES' }],
    })
  })

  it('stops when it is told to', async () => {
    const home = newFolder()
    put(join(home, '.claude/projects/-code', `${session}.jsonl`), 'x')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(findSessions(at(home), { signal })).rejects.toThrow('enough')
  })
})
