import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect } from './connection/connection.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { scratchFolder } from './testing/scratch.ts'
import { storeOver } from './sqlite-store.ts'

const root = scratchFolder()

it('the newest entry is one that is committed, also while something is being written', async () => {
  const file = join(root, 'newest.db')
  const connection = connect(file, { synchronous: 'normal', busyTimeout: 5_000 })
  using store = storeOver(connection, file)
  await store.append('a', [draft('1'), draft('2')])
  let seen: Promise<number> | undefined
  const undone = connection.write(async (all) => {
    all.run('DELETE FROM places WHERE seq = 2')
    seen = store.newest('a')
    // It may look while this is not done.
    await new Promise(setImmediate)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await seen).toBe(2)
  expect(await store.newest('b')).toBe(0)
})
