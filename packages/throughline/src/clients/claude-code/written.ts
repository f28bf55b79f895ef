import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { CompactQuestion, WrittenByModel } from './question.ts'

// In milliseconds.
const pause = 10
/** How long is waited for what the client's model writes, in milliseconds: the module gives up before. */
export const longestWait = 240_000

/** What the client's model wrote, as soon as it is there; `undefined` where it was not asked. */
export function writtenFor(question: CompactQuestion): (() => Promise<WrittenByModel>) | undefined {
  const { awaits, summary, tail, waited } = question
  if (awaits === undefined) {
    return summary === undefined
      ? undefined
      : async () => ({ summary, waited, ...(tail !== undefined && { tail }) })
  }
  let reading: Promise<WrittenByModel> | undefined
  return () => (reading ??= readWhenThere(awaits))
}

async function readWhenThere(file: string): Promise<WrittenByModel> {
  for (let waited = 0; waited < longestWait; waited += pause) {
    if (existsSync(file)) {
      const written = JSON.parse(readFileSync(file, 'utf8')) as WrittenByModel
      rmSync(file)
      return { ...written, given: Date.now() }
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  throw new Error('the client did not say what its model wrote')
}
