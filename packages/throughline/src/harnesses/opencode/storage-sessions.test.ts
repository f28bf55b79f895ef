import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSessions } from '../find/find-sessions.ts'
import { previewSession } from '../preview/preview-session.ts'
import { opencodeExport } from '../../formats/opencode/sample.ts'
import { readFound } from '../read-found.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import { surroundingsOf } from '../find-program.ts'
import { newFolder, put } from '../testing/temporary.ts'
import { opencodeDatabase } from '../testing/opencode-database.ts'
import { opencodeStorage } from '../testing/opencode-storage.ts'

type Exported = Parameters<typeof opencodeStorage>[1]

const [exported] = opencodeExport as unknown as [Exported]

function storage() {
  const home = newFolder()
  const data = join(home, '.local/share/opencode')
  const find = () => findSessions(surroundingsOf({ HOME: home }))
  return { data, root: join(data, 'storage'), find }
}

async function only({ find }: ReturnType<typeof storage>) {
  const { sessions, unreadable } = await find()
  expect({ count: sessions.length, unreadable }).toEqual({ count: 1, unreadable: [] })
  const [session] = sessions
  if (!session) throw new Error('not found')
  return session
}

describe('a session that opencode kept in files', () => {
  it('is read as its export is', async () => {
    const place = storage()
    const file = opencodeStorage(place.root, exported)
    const session = await only(place)
    expect(session).toMatchObject({ type: 'storage', id: 'ses_1', file })
    const read = await readSession(readFound(session))
    const other = await readSession([JSON.stringify(exported)])
    expect(read.log.length).toBeGreaterThan(3)
    expect(read.log).toEqual(other.log)
    expect(read.facts).toEqual(other.facts)
  })

  it('is looked at by its first and its newest messages', async () => {
    const place = storage()
    const [first, ...others] = exported.messages
    const tokens = { input: 90_000, output: 2_000, reasoning: 0, cache: { read: 0, write: 0 } }
    const many = Array.from({ length: 30 }, (_, index) => ({
      info: { ...others[0]?.info, tokens, id: `msg_x${index}`, time: { created: 9 + index } },
      parts: [{ type: 'text', text: `Step ${index}. ${'It goes on. '.repeat(500)}` }],
    }))
    opencodeStorage(place.root, { ...exported, messages: first ? [first, ...many] : many })
    expect(await previewSession(await only(place))).toMatchObject({
      id: 'ses_1',
      title: expect.stringMatching(/^Read it\./),
      tokens: { count: 92_000, from: 'usage' },
      bytes: expect.toSatisfy((bytes) => bytes > 30 * 6000 && bytes < 30 * 7000),
    })
  })

  it('is left out where the database has it, and so are those of subagents', async () => {
    const place = storage()
    opencodeStorage(place.root, exported)
    opencodeStorage(place.root, { info: { id: 'ses_2', parentID: 'ses_1' }, messages: [] })
    opencodeDatabase(join(place.data, 'opencode.db'), [exported])
    expect(await only(place)).toMatchObject({ type: 'database', id: 'ses_1' })
  })

  it('is read without what is damaged, and nothing else is taken for one', async () => {
    const place = storage()
    opencodeStorage(place.root, exported)
    put(join(place.root, 'message', 'ses_1', 'msg_bad.json'), '{torn')
    put(join(place.root, 'session', 'p', 'ses_torn.json'), '{torn')
    put(join(place.root, 'session', 'p', 'notes.txt'), '{}')
    put(join(place.root, 'session', 'file'), '{}')
    mkdirSync(join(place.root, 'session', 'p', 'ses_folder.json'))
    const { log, facts } = await readSession(readFound(await only(place)))
    expect(log.length).toBeGreaterThan(3)
    expect(facts.omitted).toMatchObject({ damaged: 1 })
  })

  it('never leads anywhere, whatever it says', async () => {
    const place = storage()
    const id = '../../../secret'
    put(join(place.data, 'secret', 'prt_1.json'), JSON.stringify({ type: 'text', text: 'secret' }))
    const [message] = exported.messages
    opencodeStorage(place.root, exported)
    const info = JSON.stringify({ ...message?.info, id, sessionID: id })
    put(join(place.root, 'message', 'ses_1', 'msg_zz.json'), info)
    const chunks: Uint8Array[] = []
    for await (const chunk of readFound(await only(place))) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).not.toContain('"secret"')
  })
})
