import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nothing, type Acknowledged, type Line, type Work } from './work.ts'

/** How a writer ended. */
export interface Killed {
  /** What it acknowledged last. */
  last: Acknowledged
  /** What it had begun and not acknowledged, if anything. */
  begun: Work | undefined
  acknowledged: number
  stderr: string
}

/** When a writer is killed: in the middle of its `round`th work of this kind, or nearly so. */
export interface Instant {
  work: Work
  round: number
  /** As a share of the time that this work took before, or in milliseconds where it is the first. */
  share: number
}

const script = fileURLToPath(new URL('writer.ts', import.meta.url))

/** Starts a writer, and kills it at that instant; none waits longer than the test that asks. */
export async function killWriter(
  file: string,
  id: string,
  { work, round, share }: Instant,
): Promise<Killed> {
  const writer = spawn(process.execPath, [script, file, id], { stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(writer, 'close')
  let stderr = ''
  writer.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  let last = nothing
  let begun: Work | undefined
  let begunAt = 0
  let took = 1
  let rounds = 0
  let acknowledged = 0
  for await (const text of createInterface({ input: writer.stdout })) {
    const line = lineOf(text)
    if (!line) continue
    if ('did' in line) {
      if (line.did === work) took = performance.now() - begunAt
      last = line
      acknowledged += 1
      begun = undefined
    } else {
      begun = line.begins
      begunAt = performance.now()
      rounds += begun === work ? 1 : 0
      if (begun === work && rounds === round) setTimeout(() => writer.kill('SIGKILL'), share * took)
    }
  }
  await closed
  return { last, begun, acknowledged, stderr }
}

/** The last line may be torn. */
function lineOf(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}
