import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { main } from '../main.ts'
import { capturedIo } from '../testing/captured-io.ts'
import { testStoreWithSession } from '../testing/new-store.ts'

const question = 'Delete session made, 169 entries, for good?'

describe('delete', () => {
  it('leaves nothing of a session, and all of the others', async () => {
    const { done, fails, read, file } = await testStoreWithSession()
    await done('import', 'session.jsonl', '--as', 'other')
    const other = await read('other')
    expect(await done('delete', 'made', '--yes')).toBe('Deleted made, 169 entries.\n')
    expect(await fails(1, ['report', '--history', 'made'])).toContain('no session of that name')
    expect(await read('other')).toEqual(other)
    await done('delete', 'other', '-y')
    expect(readFileSync(file).includes('Please make feature')).toBe(false)
  })

  it.each(['y', 'Y', 'yes', ' yes '])('does it when the answer is %j', async (answer) => {
    const { run, file } = await testStoreWithSession()
    const setting = {
      terminal: 100,
      typed: `${answer}\n`,
      env: { THROUGHLINE_STORE: file, NO_COLOR: '1' },
    }
    const { code, out, err } = await run(['delete', 'made'], setting)
    expect({ code, out }).toEqual({ code: 0, out: 'Deleted made, 169 entries.\n' })
    expect(err).toContain(`${question} [y/N] `)
  })

  it.each(['', '\n', 'n\n', 'no\n', 'yess\n', 'y e s\n', 'y'])(
    'does nothing when the answer is %j',
    async (typed) => {
      const { run, read, file } = await testStoreWithSession()
      const { code, out, err } = await run(['delete', 'made'], {
        terminal: 100,
        typed,
        env: { THROUGHLINE_STORE: file },
      })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(/\[y\/N\] \n?Nothing was changed\.\n$/)
      expect(await read('made')).toHaveLength(169)
    },
  )

  it('does nothing at Ctrl-C', async () => {
    const { read, file, directory } = await testStoreWithSession()
    const env = { THROUGHLINE_STORE: file }
    const captured = capturedIo({ terminal: 100, env, cwd: directory })
    const stdin = {
      ...captured.io.stdin,
      isTerminal: true,
      chunks: async function* (): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode('y')
        captured.interrupt()
        throw new Error('destroyed')
      },
    }
    expect(await main(['delete', 'made'], { ...captured.io, stdin })).toBe(130)
    expect(captured.err()).toBe(
      `${question} [y/N] \nthroughline: interrupted; nothing was changed.\n`,
    )
    expect(await read('made')).toHaveLength(169)
  })

  it('wants --yes where nobody can be asked', async () => {
    const { fails, read } = await testStoreWithSession()
    const err = await fails(2, ['delete', 'made'])
    expect(err).toContain(`${question} There is no terminal to ask in: use --yes`)
    expect(await read('made')).toHaveLength(169)
  })
})
