import { connect } from 'node:net'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createTally } from '../tally.ts'
import { KeptGateway } from './kept-gateway.ts'

/** The first one ends when somebody connects; the next one is not ready for as long as it runs. */
const process = `
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
process.on('message', ({ is, work, port }) => {
  if (is === 'end') process.exit(0)
  if (is === 'open') {
    const before = work.folder + '/before'
    if (existsSync(before) && existsSync(work.folder + '/ends')) process.exit(3)
    if (existsSync(before)) return
    writeFileSync(before, '')
    process.send({ is: 'opened' })
  }
  if (is === 'listen') {
    const server = createServer(() => process.exit(1))
    server.listen(port, '127.0.0.1', () => {
      process.send({ is: 'listening', url: 'http://127.0.0.1:' + server.address().port })
    })
  }
})
`

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}

it('who comes between two gateways is not refused, and is when the run ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
  const file = join(folder, 'process.mjs')
  writeFileSync(file, process)
  const gateway = new KeptGateway({
    file: pathToFileURL(file),
    work: { folder, own: folder, settings: {}, token: '' },
    tally: createTally(),
    onGivenUp: () => {},
  })
  const port = Number(new URL(await gateway.start()).port)
  expect(await isRefused(port)).toBe(false)
  await expect.poll(() => gateway.deaths).toEqual(['ended with exit code 1'])
  await expect.poll(() => isRefused(port)).toBe(false)
  await gateway.end()
  expect(await isRefused(port)).toBe(true)
})

it('one that ends before it is ready counts as well, each once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
  const file = join(folder, 'process.mjs')
  writeFileSync(file, process)
  writeFileSync(join(folder, 'ends'), '')
  const told: string[] = []
  const gateway = new KeptGateway({
    file: pathToFileURL(file),
    restarts: 2,
    within: Infinity,
    work: { folder, own: folder, settings: {}, token: '' },
    tally: createTally(),
    onGivenUp: (why) => told.push(why),
  })
  const port = Number(new URL(await gateway.start()).port)
  expect(await isRefused(port)).toBe(false)
  await expect.poll(() => told).toHaveLength(1)
  expect(told[0]).toContain(
    '3 times in a short time (it ended with exit code 3 before it was ready)',
  )
  expect(gateway.deaths).toHaveLength(3)
  expect(await isRefused(port)).toBe(true)
  await gateway.end()
})
