import { inItsLog } from '../../testing/in-its-log.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testStoreWithSession } from '../../testing/new-store.ts'
import { main } from '../../main.ts'
import { capturedIo } from '../../testing/captured-io.ts'

const schemaPath = new URL('../../../../../../docs/compact-json.schema.json', import.meta.url)
const schema = z.fromJSONSchema(JSON.parse(readFileSync(schemaPath, 'utf8')))

/** What is said of one session wherever it is. */
function withoutPlace(text: string): string {
  return text.replaceAll('session.jsonl', 'made').replace(/^ *(stored|log) .*\n/gm, '')
}

describe('a stored session', () => {
  it('is compacted, inspected and replayed as its file is', async () => {
    const { run, directory, file } = await testStoreWithSession()
    const setting = { cwd: directory, env: { THROUGHLINE_STORE: file } }
    for (const argv of [
      ['report', '--fill', '--window', '32k'],
      ['replay', '--window', '32k', '--quiet'],
      ['compact', '--if-needed', '--window', '32k', '--dry-run'],
      ['compact', '--if-needed', '--window', '32k'],
    ]) {
      const [command = '', ...options] = argv
      const [stored, read] = [
        await run([command, 'made', ...options], setting),
        await run([command, 'session.jsonl', ...options], setting),
      ]
      expect(withoutPlace(stored.out)).toBe(withoutPlace(read.out))
      expect(withoutPlace(stored.err)).toBe(withoutPlace(read.err))
    }
  })

  it('keeps its compaction, says so, and can take it back', async () => {
    const { run, done, read, directory, file } = await testStoreWithSession()
    const setting = { cwd: directory, env: { THROUGHLINE_STORE: file } }
    const before = await done('report', '--history', 'made', '--context')
    const { out, err } = await run(['compact', '--if-needed', 'made', '--window', '32k'], setting)
    expect(err).toMatch(/\n {2}stored +as entry 170 of made; throughline undo made reverts it\n/)
    expect(await done('report', '--history', 'made', '--context')).toBe(inItsLog(out))
    const added = (await read('made')).at(-1)
    expect(added).toMatchObject({ seq: 170, kind: 'checkpoint', base: 169 })
    expect(added?.at).toBeGreaterThan(1_770_000_167_000)
    await done('undo', 'made')
    expect(await done('report', '--history', 'made', '--context')).toBe(before)
  })

  it('is left as it is by a dry run, and where there is nothing to do', async () => {
    const { done, run, read, directory, file } = await testStoreWithSession()
    const setting = { cwd: directory, env: { THROUGHLINE_STORE: file } }
    const before = await read('made')
    await done('compact', 'made', '--dry-run')
    const { err } = await run(['compact', '--if-needed', 'made'], setting)
    expect(err).toContain('Small enough already')
    expect(err).not.toContain('stored')
    expect((await run(['compact', '--if-needed', 'made', '--keep', '50'], setting)).code).toBe(1)
    expect((await run(['compact', 'made', '-o', 'missing/made.md'], setting)).code).toBe(1)
    expect((await run(['compact', 'made', '-o', 'sessions.db'], setting)).err).toContain(
      'this is the session store',
    )
    expect(await read('made')).toEqual(before)
  })

  it('is told apart in the JSON, which agrees with its schema', async () => {
    const { run, directory, file } = await testStoreWithSession()
    const setting = { cwd: directory, env: { THROUGHLINE_STORE: file } }
    const reports = []
    for (const argv of [['made'], ['made', '--if-needed'], ['session.jsonl', '--if-needed']]) {
      const { out } = await run(['compact', ...argv, '--json'], setting)
      const object = JSON.parse(out)
      expect(schema.safeParse(object).error?.message).toBeUndefined()
      reports.push(object.report.stored)
    }
    expect(reports).toEqual([{ session: 'made', seqs: [170] }, null, null])
  })

  it('that is pruned says so, and undo takes that back, too', async () => {
    const { run, done, read, directory, file } = await testStoreWithSession({
      turns: 4,
      steps: 2,
      lines: 1_600,
    })
    const setting = { cwd: directory, env: { THROUGHLINE_STORE: file } }
    const before = await done('report', '--history', 'made', '--context')
    const { err } = await run(['compact', '--if-needed', 'made', '--window', '90k'], setting)
    expect(err).toContain('old tool outputs pruned')
    expect(err).toMatch(/stored +as entry 26 of made/)
    expect((await read('made')).at(-1)?.kind).toBe('prune')
    expect(await done('undo', 'made')).toContain('Undid the pruning at entry 26')
    expect(await done('report', '--history', 'made', '--context')).toBe(before)
  })

  it('that somebody else changes meanwhile is left as they made it', async () => {
    const { inside, read, directory, file } = await testStoreWithSession()
    const captured = capturedIo({ cwd: directory, env: { THROUGHLINE_STORE: file }, terminal: 80 })
    let meanwhile: Promise<unknown> | undefined
    const stderr = {
      ...captured.io.stderr,
      write: async (text: string) => {
        if (text.includes('compacting')) {
          const draft = { kind: 'pin', at: 0, text: 'of somebody else' } as const
          await (meanwhile ??= inside((store) => store.append('made', [draft])))
        }
        return captured.io.stderr.write(text)
      },
    }
    expect(await main(['compact', 'made'], { ...captured.io, stderr })).toBe(1)
    expect(captured.err()).toContain('someone wrote to it in the meantime')
    expect((await read('made')).map(({ kind }) => kind).slice(168)).toEqual(['observation', 'pin'])
  })

  it('is left as it was by Ctrl-C', async () => {
    const { read, directory, file } = await testStoreWithSession()
    const env = { THROUGHLINE_STORE: file }
    const captured = capturedIo({
      cwd: directory,
      env,
      terminal: 80,
      onErr: (text) => text.includes('compacting') && captured.interrupt(),
    })
    expect(await main(['compact', 'made'], captured.io)).toBe(130)
    expect(captured.err()).toContain('throughline: interrupted; nothing was written.\n')
    expect(await read('made')).toHaveLength(169)
  })
})
