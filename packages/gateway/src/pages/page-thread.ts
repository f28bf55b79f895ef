import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { Chronological } from 'throughline/engine'
import type { Entry } from 'throughline'
import type { PageModule, PageWork, ToPageThread } from './page-maker.ts'

// The code of a thread: makes one page, and ends.
const port = parentPort as MessagePort
const { module, settings, of } = workerData as PageWork
const log: Entry[] = []

async function make(): Promise<void> {
  const { sessionPage } = (await import(module)) as PageModule
  const page = await sessionPage(settings)(log as unknown as Chronological, of)
  const bytes = new TextEncoder().encode(page)
  port.postMessage(bytes, [bytes.buffer])
  port.close()
}

port.on('message', (message: ToPageThread) => {
  if (message.is === 'entries') log.push(...message.entries)
  else void make()
})
