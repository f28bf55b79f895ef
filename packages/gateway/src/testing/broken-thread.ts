import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tmpdir } from 'node:os'

/** A file for the engine’s thread with this code. */
export function brokenThread(code: string): URL {
  const file = join(mkdtempSync(join(tmpdir(), 'throughline-thread-')), 'thread.mjs')
  writeFileSync(file, code)
  return pathToFileURL(file)
}

/** It begins well, and hears nothing more once it has work. */
export function hangingThread(): URL {
  return onWork('for (;;);')
}

/** It begins well, and ends with its first work. */
export function dyingThread(): URL {
  return onWork('process.exit(1)')
}

function onWork(does: string): URL {
  return brokenThread(
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ is }) => { if (is === 'work') ${does} })
     parentPort.postMessage({ is: 'ready' })`,
  )
}
