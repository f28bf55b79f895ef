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

  it.each([
    ['a session', 'a'],
    ['a new session', 'b'],
  ])('keeps nothing of an append to %s that is cancelled, wherever that is', async (_, id) => {
    using store = sqliteStore({ file: join(root, `cancelled-${id}.db`) })
    await store.append('a', [draft('one')])
    const before = [await store.read('a'), await store.sessions()]
    const drafts = ['two', 'three', 'four'].map((text) => draft(text))
    let cancelled = 0
    for (;;) {
      const signal = abortedAt(cancelled + 1)
      const [outcome] = await Promise.allSettled([store.append(id, drafts, undefined, { signal })])
      if (outcome.status === 'fulfilled') break
      expect(outcome.reason).toMatchObject({ name: 'AbortError' })
      expect([await store.read('a'), await store.sessions()]).toEqual(before)
      cancelled++
    }
    // Each entry looks twice: while it is made, and while it is written.
    expect(cancelled).toBeGreaterThanOrEqual(2 * drafts.length)
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

/** A signal that is aborted when it is looked at for the nth time. */
function abortedAt(nth: number): AbortSignal {
  const controller = new AbortController()
  const { signal } = controller
  let looks = 0
  signal.throwIfAborted = () => {
    if (++looks === nth) controller.abort()
    AbortSignal.prototype.throwIfAborted.call(signal)
  }
  return signal
}

function stderrOf(script: string): string {
  const output = join(root, 'stderr.txt')
  return execFileSync(
    'sh',
    ['-c', '"$0" --input-type=module -e "$1" 2>"$2"; cat "$2"', process.execPath, script, output],
    { encoding: 'utf8' },
  )
}
