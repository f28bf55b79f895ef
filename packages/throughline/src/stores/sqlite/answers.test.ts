import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { full } from '../../testing/generate/runs.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { sqliteStore } from './sqlite-store.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()

describe('a store', () => {
  it(`gives a value of ${full ? 100 : 10} MB back as it was`, async () => {
    using store = sqliteStore({ file: join(root, 'large.db') })
    const text = 'ten bytes\0'.repeat((full ? 100 : 10) * 100_000)
    await store.append('a', [draft(text)])
    const [entry] = await store.read('a')
    expect(entry?.kind === 'message' && entry.message.content === text).toBe(true)
  })

  it('keeps nothing of an append that holds what cannot be kept', async () => {
    using store = sqliteStore({ file: join(root, 'unstorable.db') })
    const odd = { ...draft('2'), metadata: { call: () => 1 } }
    const appended = store.append('a', [draft('1'), odd])
    await expect(appended).rejects.toMatchObject({ code: 'UNSTORABLE_VALUE' })
    expect(await store.read('a')).toEqual([])
    expect((await store.append('a', [draft('1')]))[0]?.seq).toBe(1)
  })

  it('is as it was where a change fails in the middle', async () => {
    using store = sqliteStore({ file: join(root, 'failing.db') })
    await store.append('a', [draft('one'), draft('two'), draft('three')])
    const before = await store.read('a')
    const change = (entry: (typeof before)[number]) => {
      if (entry.seq === 3) throw new RangeError('no further')
      return { ...draft('changed'), seq: entry.seq }
    }
    const redacted = store.redact('a', { change, note: () => draft('note') })
    await expect(redacted).rejects.toThrow('no further')
    expect(await store.read('a')).toEqual(before)
    expect((await store.append('a', [draft('four')]))[0]?.seq).toBe(4)
  })

  it('says that it is closed, whatever is asked of it', async () => {
    const store = sqliteStore({ file: join(root, 'closed.db') })
    await store.append('a', [draft('1')])
    store.close()
    store.close()
    const closed = { code: 'STORE_FAILED', failure: 'closed' }
    await expect(store.append('a', [draft('2')])).rejects.toMatchObject(closed)
    await expect(store.read('a')).rejects.toMatchObject(closed)
    await expect(store.sessions()).rejects.toMatchObject(closed)
    await expect(store.remove('a')).rejects.toMatchObject(closed)
  })

  it('is opened without a word on standard error, and hides no warning of others', () => {
    const module = pathToFileURL(join(import.meta.dirname, 'index.ts')).href
    const file = JSON.stringify(join(root, 'quiet.db'))
    const script = (more: string): string =>
      `import { sqliteStore } from ${JSON.stringify(module)}; sqliteStore({ file: ${file} }).close(); ${more}`
    expect(stderrOf(script(''))).toBe('')
    expect(stderrOf(script("process.emitWarning('of others')"))).toContain('of others')
  })
})

function stderrOf(script: string): string {
  const output = join(root, 'stderr.txt')
  return execFileSync(
    'sh',
    ['-c', '"$0" --input-type=module -e "$1" 2>"$2"; cat "$2"', process.execPath, script, output],
    { encoding: 'utf8' },
  )
}
