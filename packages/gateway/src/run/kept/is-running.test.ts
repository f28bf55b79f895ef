import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { isRunning } from './is-running.ts'

it('a process that has ended runs no more, also where nobody has waited for it', async () => {
  // The shell becomes a program that waits for nobody.
  const child = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const unwaited = Number(String(said))
    await expect.poll(() => isRunning(unwaited)).toBe(false)
    expect(isRunning(child.pid ?? 0)).toBe(true)
  } finally {
    child.kill()
    await once(child, 'exit')
  }
  expect(isRunning(child.pid ?? 0)).toBe(false)
})
