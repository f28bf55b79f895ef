import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Done, Task } from './store-process.ts'

const script = fileURLToPath(new URL('./store-process.ts', import.meta.url))

/** Several processes that work on a store at the same time. */
export class Processes {
  readonly #processes: ChildProcess[]

  constructor(count: number) {
    this.#processes = Array.from({ length: count }, () =>
      fork(script, { execArgv: [], serialization: 'advanced' }),
    )
  }

  /** Gives each process its task, and waits for all of them. */
  async run(tasks: readonly Task[]): Promise<Done[][]> {
    return Promise.all(
      tasks.map((task, index) => answerOf(this.#processes[index] as ChildProcess, task)),
    )
  }

  stop(): void {
    for (const process of this.#processes) process.kill()
  }
}

async function answerOf(process: ChildProcess, task: Task): Promise<Done[]> {
  return new Promise((resolve, reject) => {
    if (process.exitCode !== null) reject(new Error(`A process ended with ${process.exitCode}.`))
    const failed = (code: number | null): void =>
      reject(new Error(`A process ended with ${code} in the middle of its work.`))
    process.once('exit', failed)
    process.once('message', (done) => {
      process.off('exit', failed)
      resolve(done as Done[])
    })
    process.send(task)
  })
}
