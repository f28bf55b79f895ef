import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSession } from '../../session/session.ts'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import type { Message } from '../../log/message.ts'

const versions = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.db'))
  .map((name) => name.slice(0, -'.db'.length))

const folder = mkdtempSync(join(tmpdir(), 'written-by-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Views {
  history: string[]
  context: string[]
}

describe.each(versions)('a session that %s wrote', (version) => {
  it('shows the same history and the same context, and goes on', async () => {
    const file = join(folder, `${version}.db`)
    copyFileSync(join(import.meta.dirname, `${version}.db`), file)
    const text = readFileSync(join(import.meta.dirname, `${version}.json`), 'utf8')
    const { history, context } = JSON.parse(text) as Views
    const store = sqliteStore({ file })
    const session = await openSession({ store, id: 'made', window: { context: 20_000 } })
    expect((await session.history()).map(({ message }) => textOf(message))).toEqual(history)
    expect(session.messages().map(textOf)).toEqual(context)

    await session.say('Go on.')
    const { after } = await session.compact()
    expect(after).toBeLessThan(20_000)
    expect(JSON.stringify(session.messages())).toContain('Never push to the remote.')
    await session.undo()
    expect(session.messages().map(textOf)).toEqual([...context, textOf(said('Go on.'))])
    await session.close()
    await store.close()
  })
})

function said(content: string): Message {
  return { role: 'user', content }
}

function textOf({ role, content }: Message): string {
  return `${role}: ${JSON.stringify(content).slice(0, 120)}`
}
