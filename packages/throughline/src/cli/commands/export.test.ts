import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newTestStore, testStoreWithSession } from '../testing/new-store.ts'

describe('export', () => {
  it('is imported as the same log, with its compactions, its undo and its refs', async () => {
    const { done, read, directory } = await testStoreWithSession()
    await done('pin', 'made', 'The release is on Friday.')
    await done('compact', 'made')
    await done('undo', 'made')
    await done('compact', 'made', '--window', '16k')
    const { run } = newTestStore()
    await done('export', 'made', '-o', 'made.jsonl')
    await done('import', 'made.jsonl', '--as', 'again')
    expect(await read('again')).toEqual(await read('made'))
    await done('undo', 'again')
    expect(await done('report', '--history', 'again', '3.0')).toEqual(
      await done('report', '--history', 'made', '3.0'),
    )
    // Elsewhere, under its own name.
    const { code } = await run(['import', join(directory, 'made.jsonl')])
    expect(code).toBe(0)
    expect((await run(['report', '--history', 'made'])).out).toBe(
      await done('report', '--history', 'made'),
    )
  })

  it('is the same bytes to standard output and to a file, and every time', async () => {
    const { done, directory } = await testStoreWithSession()
    const out = await done('export', 'made')
    expect(await done('export', 'made', '-o', '-')).toBe(out)
    await done('export', 'made', '-o', 'made.jsonl')
    expect(readFileSync(join(directory, 'made.jsonl'), 'utf8')).toBe(out)
    expect(out.split('\n')).toHaveLength(171)
  })

  it('is read by every command that reads a session', async () => {
    const { done } = await testStoreWithSession()
    await done('export', 'made', '-o', 'made.jsonl')
    for (const [command = '', ...options] of [
      ['compact', '--if-needed', '--window', '32k', '--dry-run'],
      ['report', '--fill'],
      ['report', '--history'],
      ['report', '--history', '--log'],
      ['recall', '2'],
    ]) {
      const stored = await done(command, 'made', ...options)
      const file = await done(command, 'made.jsonl', ...options)
      expect(
        file
          .replace('made.jsonl', 'made')
          .replace('session of throughline', 'session of claude-code')
          .replace('throughline, claude', 'claude-code, claude'),
      ).toBe(stored)
    }
  })

  it('holds no character that a terminal obeys, and loses none', async () => {
    const { done, read, inside } = newTestStore()
    const text = '\u009b31m\u202e\u007f\u2028'
    await done('import', 'session.jsonl')
    await inside((store) => store.append('made', [{ kind: 'pin', at: 0, text }]))
    const out = await done('export', 'made')
    expect(out).not.toMatch(/[\u007f-\u009f\u202e\u2028]/)
    await done('export', 'made', '-o', 'x.jsonl')
    await done('import', 'x.jsonl', '--as', 'b')
    expect((await read('b')).at(-1)).toMatchObject({ text })
  })

  it('never writes over the store, and leaves a file alone if it fails', async () => {
    const { fails, directory, file } = await testStoreWithSession()
    for (const name of ['sessions.db', './x/../sessions.db', 'sessions.db-wal', file]) {
      expect(await fails(1, ['export', 'made', '-o', name])).toContain('this is the session store')
    }
    writeFileSync(join(directory, 'kept.txt'), 'as it was')
    await fails(1, ['export', 'none', '-o', 'kept.txt'])
    expect(readFileSync(join(directory, 'kept.txt'), 'utf8')).toBe('as it was')
    expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('that lost lines on its way is imported with a word about it', async () => {
    const { done, directory } = await testStoreWithSession()
    await done('export', 'made', '-o', 'made.jsonl')
    const lines = readFileSync(join(directory, 'made.jsonl'), 'utf8').split('\n')
    lines.splice(10, 1)
    writeFileSync(join(directory, 'cut.jsonl'), lines.slice(0, 100).join('\n'))
    const out = await done('import', 'cut.jsonl', '--as', 'cut')
    expect(out).toContain('The export is incomplete: 70 entries missing.')
    expect(await done('report', '--history', 'cut', '50')).toBe(
      await done('report', '--history', 'made', '50'),
    )
  })
})
