import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../terminal/columns.ts'
import { newTestStore, testStoreWithSession } from '../../testing/new-store.ts'
import { whenText } from '../../terminal/numbers.ts'

describe('sessions', () => {
  it('shows each with its size, what its human said first, and where it comes from', async () => {
    const { done } = await testStoreWithSession()
    await done('compact', 'made')
    const list = await done('list', '--stored')
    expect(list).toMatch(
      /^session +written +entries +context +full +compacted +title +from\nmade +\S+ +170 +~[\d,]+ +\d+% +1× +Please make feature 1 work\. Never touch… +claude-code\n$/,
    )
  })

  it('says the same as JSON, exactly', async () => {
    const { json, directory } = await testStoreWithSession()
    const { version, total, sessions } = await json('list', '--stored')
    const inspected = await json('report', '--fill', 'made')
    expect({ version, total }).toEqual({ version: 1, total: 1 })
    expect(sessions).toEqual([
      {
        session: 'made',
        written: 1_770_000_167_000,
        entries: 169,
        tokens: inspected.context.measurement.tokens,
        usable: inspected.window.usable,
        compactions: 0,
        title: 'Please make feature 1 work. Never touch config/prod.ts.',
        format: 'claude-code',
        source: `${directory}/session.jsonl`,
        model: 'claude-opus-4-5-20251101',
        directory: '/code/app',
      },
    ])
  })

  it('has the newest first, twenty of them unless more are wanted', async () => {
    const { inside, done, json, fails } = newTestStore()
    await inside(async (store) => {
      for (let index = 0; index < 30; index++) {
        const at = 1_700_000_000_000 + ((index * 7) % 30) * 1000
        await store.append(`s${index}`, [{ kind: 'pin', at, text: 'x' }])
      }
    })
    const { total, sessions } = await json('list', '--stored')
    expect([total, sessions.length]).toEqual([30, 20])
    const times = sessions.map(({ written }: { written: number }) => written)
    expect(times).toEqual([...times].sort((one, other) => other - one))
    expect(await done('list', '--stored')).toContain('… and 10 older ones; --all shows them')
    expect((await json('list', '--stored', '--all')).sessions).toHaveLength(30)
    expect((await json('list', '--stored', '--limit', '3')).sessions).toHaveLength(3)
    expect(await fails(2, ['list', '--stored', '--limit', '0'])).toContain(
      '--limit must be a whole number',
    )
    expect(await fails(2, ['list', '--stored', '--limit', '3', '--all'])).toContain('omit --limit')
  })

  it('fits the terminal, whatever is in it', async () => {
    const { inside, run, file } = newTestStore()
    await inside(async (store) => {
      for (const id of ['漢字'.repeat(40), 'x'.repeat(300), '🙂 a\u001b[2Jb']) {
        const message = { role: 'user', content: `\u202e${'長い'.repeat(200)}` } as const
        await store.append(id, [{ kind: 'message', at: 1e300, message, origin: 'human' }])
      }
    })
    for (const terminal of [60, 80, 120, 200]) {
      const env = { THROUGHLINE_STORE: file, NO_COLOR: '1' }
      const { out, code } = await run(['list', '--stored'], { terminal, env })
      expect(code).toBe(0)
      expect(out).not.toMatch(/[\u001b\u202e]/)
      if (terminal > 110) continue
      for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(terminal)
    }
  })

  it('says that the store is empty', async () => {
    const { done, json } = await testStoreWithSession()
    await done('delete', 'made', '--yes')
    expect(await done('list', '--stored')).toBe(
      'The store is empty. To add a session: throughline import FILE\n',
    )
    expect(await json('list', '--stored')).toEqual({ version: 1, total: 0, sessions: [] })
  })
})

describe('when a session was written', () => {
  const now = new Date(2026, 1, 13, 18, 0).getTime()

  it.each([
    [new Date(2026, 1, 13, 9, 5).getTime(), '09:05'],
    [new Date(2026, 1, 12, 23, 59).getTime(), '2026-02-12'],
    [0, '–'],
    [-5, '–'],
    [1e300, '–'],
    [8e15, '–'],
  ])('%d is %s', (at, text) => {
    expect(whenText(at, now)).toBe(text)
  })
})
