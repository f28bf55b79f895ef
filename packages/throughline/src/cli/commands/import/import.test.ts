import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../log/context/context.ts'
import { chronological } from '../../../log/order.ts'
import { readSession } from '../../../formats/reading/read-session.ts'
import { opencodeExport } from '../../../formats/opencode/sample.ts'
import { storedFacts } from '../../../formats/stored/facts.ts'
import { sqliteStore } from '../../../stores/sqlite/index.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { newTestStore, testStoreWithSession } from '../../testing/new-store.ts'
import { runMain } from '../../testing/run-main.ts'

describe('import', () => {
  it('keeps every entry as it was, with what else the file tells', async () => {
    const { done, read, directory } = newTestStore()
    const text = readFileSync(join(directory, 'session.jsonl'))
    expect(await done('import', 'session.jsonl')).toBe(
      'Imported made: 168 entries, into sessions.db.\nTo see it: throughline report --history made\n',
    )
    const stored = await read('made')
    const { log } = await readSession(text)
    expect(stored.slice(0, -1)).toEqual(log)
    expect(contextOf(chronological(stored)).items).toEqual(contextOf(log).items)
    expect(stored.at(-1)).toMatchObject({
      kind: 'observation',
      observation: {
        type: 'note',
        data: {
          format: 'claude-code',
          id: 'made',
          model: 'claude-opus-4-5-20251101',
          directory: '/code/app',
          source: join(directory, 'session.jsonl'),
        },
      },
    })
    expect(readFileSync(join(directory, 'session.jsonl'))).toEqual(text)
  })

  it('takes the name that is asked for, else that of the file where the client gave none', async () => {
    const { json, directory } = newTestStore()
    expect((await json('import', 'session.jsonl', '--as', 'mine')).session).toBe('mine')
    const lines = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Done.' },
    ]
    writeFileSync(join(directory, 'chat.2.json'), JSON.stringify(lines))
    expect((await json('import', 'chat.2.json')).session).toBe('chat.2')
  })

  it.each([
    ['standard input without a name', ['-'], 'name it with --as NAME'],
    ['an empty name', ['session.jsonl', '--as', ' '], '--as must be a plain name'],
    [
      'a name with control characters',
      ['session.jsonl', '--as', 'a\u001bb'],
      '--as must be a plain name',
    ],
    [
      'a name as long as a session',
      ['session.jsonl', '--as', 'x'.repeat(201)],
      '--as must be a plain name',
    ],
    ['a name like an option', ['session.jsonl', '--as=-x'], '--as must be a plain name'],
    ['two files', ['a.jsonl', 'b.jsonl'], 'only one session at a time'],
    ['no session', [], 'which session?'],
  ])('refuses %s', async (_, argv, message) => {
    const { fails } = newTestStore()
    const input = JSON.stringify([{ role: 'user', content: 'Go.' }])
    expect(
      await fails(2, ['import', ...argv], { env: { THROUGHLINE_STORE: '/none' }, input }),
    ).toContain(message)
  })

  it('finds a session where its harness keeps it, by its id or as the latest, again and again', async () => {
    const { home, env, put, putInDatabase } = harnessHome()
    const id = 'f0000000-0000-4000-8000-000000000001'
    const file = put('claude-code', id, claudeSession({ turns: 2 }))
    const database = putInDatabase(opencodeExport as unknown as Parameters<typeof putInDatabase>[0])
    const run = async (...argv: string[]) => {
      const { code, out } = await runMain([...argv, '--json'], { env, cwd: home })
      expect({ argv, code }).toEqual({ argv, code: 0 })
      return JSON.parse(out)
    }
    expect(await run('import', 'f000', '--as', 'kept')).toMatchObject({ session: 'kept' })
    expect(await run('import', 'claude:latest')).toMatchObject({ session: 'made', known: 0 })
    put('claude-code', id, claudeSession({ turns: 3 }))
    // By then the store has a session whose name begins so, too.
    expect(await run('import', 'latest')).toMatchObject({ session: 'made', known: 20, added: 10 })
    expect(await run('import', 'opencode:ses_1')).toMatchObject({ session: 'ses_1' })
    using store = sqliteStore({ file: join(env.XDG_DATA_HOME ?? '', 'throughline/sessions.db') })
    expect(await storedFacts(store, { id: 'made', newest: 999 })).toMatchObject({ source: file })
    expect(await storedFacts(store, { id: 'ses_1', newest: 999 })).toMatchObject({
      source: `opencode:ses_1 in ${database}`,
    })
  })

  it('passes over a name that is an attack', async () => {
    const { json, directory } = newTestStore()
    const text = claudeSession().replaceAll('"made"', '"\\u001b[2Jx"')
    writeFileSync(join(directory, 'plain.jsonl'), text)
    expect((await json('import', 'plain.jsonl')).session).toBe('plain')
  })

  it('adds what is new, and says so', async () => {
    const { done, json, read, directory } = newTestStore({ turns: 3 })
    await done('import', 'session.jsonl')
    expect(await done('import', 'session.jsonl')).toBe(
      'Nothing new: made is already in sessions.db, 30 entries.\n',
    )
    const before = await read('made')
    writeFileSync(join(directory, 'session.jsonl'), claudeSession({ turns: 4 }))
    expect(await done('import', 'session.jsonl')).toBe(
      'Added 10 new entries to made, which had 30 entries from this file.\n',
    )
    expect((await read('made')).slice(0, before.length)).toEqual(before)
    expect(await json('import', 'session.jsonl')).toMatchObject({ added: 0, known: 40 })
  })

  it('takes a half-written step back when the file has the whole of it', async () => {
    const { done, read, directory } = newTestStore()
    const lines = claudeSession({ turns: 2 }).trimEnd().split('\n')
    // The answer comes in two records, as a client writes it.
    const last = JSON.parse(lines.at(-1) ?? '')
    const more = structuredClone({ ...last, uuid: 'more', parentUuid: last.uuid })
    more.message.content = [{ type: 'text', text: 'And more.' }]
    const path = join(directory, 'session.jsonl')
    writeFileSync(path, `${lines.join('\n')}\n`)
    await done('import', 'session.jsonl')
    appendFileSync(path, `${JSON.stringify(more)}\n`)
    expect(await done('import', 'session.jsonl')).toContain('was half written')
    const { log } = await readSession(readFileSync(path))
    const said = (entries: typeof log): unknown[] =>
      contextOf(entries).items.map((item) => item.type === 'message' && item.message)
    expect(said(chronological(await read('made')))).toEqual(said(log))
  })

  it('refuses a session that has gone another way, and says how to keep both', async () => {
    const { done, fails, read, directory } = await testStoreWithSession({ turns: 3 })
    const before = await read('made')
    writeFileSync(
      join(directory, 'session.jsonl'),
      claudeSession({ turns: 3, says: ['Make feature 1', 'Something else'] }),
    )
    const err = await fails(1, ['import', 'session.jsonl'])
    expect(err).toContain('differs, starting at entry 1. Nothing was changed.')
    expect(err).toContain('For example: --as made-2')
    expect(await read('made')).toEqual(before)
    await done('import', 'session.jsonl', '--as', 'made-2')
  })

  it('names damaged lines, as the other commands do', async () => {
    const { json, run, directory } = newTestStore()
    appendFileSync(join(directory, 'session.jsonl'), '{"torn\n')
    const { out } = await run(['import', 'session.jsonl'])
    expect(out).toContain('1 damaged line: line 169 (torn')
    expect((await json('import', 'session.jsonl')).skipped).toMatchObject({ count: 1 })
  })
})

describe('import --all', () => {
  const id = 'f0000000-0000-4000-8000-000000000001'
  const made = (turns: number): string =>
    claudeSession({ turns, steps: 2 }).replaceAll('"sessionId":"made"', `"sessionId":"${id}"`)

  it('archives every session, and later what is new in them', async () => {
    const { put, putInDatabase, env, home } = harnessHome()
    const file = put('claude-code', id, made(2))
    putInDatabase(opencodeExport as unknown as Parameters<typeof putInDatabase>[0])
    const run = (...argv: string[]) => runMain(argv, { env, cwd: home })
    expect((await run('import', '--all')).out).toMatch(/2 sessions added; \d+ new entries\./)
    expect((await run('import', '--all')).out).toContain('Nothing new: 2 sessions looked at')
    appendFileSync(file, made(3).slice(made(2).length))
    expect((await run('import', '--all')).out).toMatch(/: 1 grown, 1 as before; 6 new entries\./)
    expect((await run('report', '--history', id)).out).toContain('feature 3')
  })

  it('archives a session again that was deleted from the store', async () => {
    const { put, env, home } = harnessHome()
    put('claude-code', id, made(2))
    const run = (...argv: string[]) => runMain(argv, { env, cwd: home })
    await run('import', '--all')
    await run('delete', id, '--yes')
    expect((await run('import', '--all')).out).toContain('1 session added')
  })

  it('keeps both ways of a session that went back since', async () => {
    const { put, env, home } = harnessHome()
    put('claude-code', id, made(3))
    const run = (...argv: string[]) => runMain(argv, { env, cwd: home })
    await run('import', '--all')
    put('claude-code', id, made(3).replaceAll('feature 2', 'thing 2'), Date.UTC(2026, 1, 1))
    expect((await run('import', '--all')).out).toContain(`by themselves: ${id}-2.`)
    expect((await run('report', '--history', id)).out).toContain('feature 2')
    expect((await run('report', '--history', `${id}-2`)).out).toContain('thing 2')
  })
})
