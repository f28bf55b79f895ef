import { spawn, type ChildProcess } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const place = JSON.stringify(new URL('./interrupts.ts', import.meta.url).href)

/** A process that runs this, and gets Ctrl-C when it prints something. */
function interrupted(body: string, err: number | 'pipe' = 2): ChildProcess {
  const code = `import { writeSync } from 'node:fs'
    import { processInterrupts } from ${place}
    const { signal, endingAtOnce, endingInTurn } = processInterrupts()
    const work = () => { writeSync(1, 'working'); for (;;); }
    ${body}`
  const flags = ['--experimental-strip-types', '--input-type=module']
  const child = spawn(process.execPath, [...flags, '-e', code], { stdio: ['ignore', 'pipe', err] })
  child.stdout?.once('data', () => child.kill('SIGINT'))
  return child
}

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it('ends work at once that never waits', async () => {
    const child = interrupted('await endingAtOnce(work)')
    try {
      expect(await ended(child)).toBe('SIGINT')
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('aborts the signal elsewhere, also after such work', async () => {
    const child = interrupted(`
      const kept = setInterval(() => {}, 1000)
      signal.addEventListener('abort', () => { clearInterval(kept); process.exitCode = 7 })
      await endingAtOnce(() => 1)
      writeSync(1, 'waiting')`)
    try {
      expect(await ended(child)).toBe(7)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('is not lost where it comes right before such work', async () => {
    const child = interrupted(`
      writeSync(1, 'busy')
      for (const end = Date.now() + 500; Date.now() < end;);
      await endingAtOnce(work).catch(() => process.exit(7))`)
    try {
      expect(await ended(child)).toBe(7)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('ends work that waits with a line', async () => {
    const child = interrupted(
      `await endingInTurn(async () => {
        writeSync(1, 'reading')
        for (;;) await new Promise((resolve) => setTimeout(resolve, 1))
      })`,
      'pipe',
    )
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    try {
      expect(await ended(child)).toBe(130)
      expect(said).toBe('throughline: interrupted; nothing was written.\n')
    } finally {
      child.kill('SIGKILL')
    }
  })
})
