import { open, readFile } from 'node:fs/promises'
import { findFound } from '../../source/find-found.ts'
import { harnesses } from '../../../formats/harnesses.ts'
import { summaryElement } from '../../../facts/human/client-forms.ts'
import type { Io } from '../../io.ts'

// A session that Throughline wrote begins with its summary.
const beginning = 1024 * 1024

/**
 * The session files that `resume` or `compact` has written for a client and that hold a text, plainly or
 * escaped in JSON. They are the client's, so nothing changes them. Sessions in a database are not looked
 * into.
 * @throws InterruptedError
 */
export async function writtenCopies(text: string, io: Io): Promise<string[]> {
  const { sessions } = await findFound(harnesses, io)
  const forms = [text, JSON.stringify(text).slice(1, -1)].map((form) => Buffer.from(form))
  const copies: string[] = []
  for (const found of sessions) {
    if (found.type !== 'file' || !(await beginsWithSummary(found.file))) continue
    const bytes = await readFile(found.file).catch(() => Buffer.alloc(0))
    if (forms.some((form) => bytes.includes(form))) copies.push(found.file)
  }
  return copies
}

async function beginsWithSummary(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(beginning) })
    return buffer.subarray(0, bytesRead).includes(`<${summaryElement}>`)
  } finally {
    await file.close()
  }
}
