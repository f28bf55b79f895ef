import { Worker } from 'node:worker_threads'
import { logSize } from './store-file.ts'

// SQLite copies all of its write-ahead log into the file at once. This much takes no time to speak
// of; more is copied by another thread.
const much = 2_097_152

const code = `const { workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData)
  database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(PASSIVE)')
  database.close()`

/**
 * Copies a large write-ahead log into its file without stopping this thread. If that isn't possible
 * here, the next who writes does it.
 */
export async function copyLog(file: string): Promise<void> {
  if ('bun' in process.versions || logSize(file) < much) return
  await new Promise<void>((resolve) => {
    // What it says of experimental features is for nobody.
    const worker = new Worker(code, { eval: true, workerData: file, stderr: true })
    worker.on('error', () => resolve())
    worker.on('exit', () => resolve())
  })
}
