import { ThroughlineError } from '../../../log/throughline-error.ts'
import { sqliteStore, type SqliteStore } from '../sqlite-store.ts'
import { worker, type Command } from './do-command.ts'
import { recordingStore, type StoreCall } from './recording-store.ts'

/** One of several processes that use a store at the same time. */
export interface Task {
  file: string
  commands: readonly Command[]
}

/** What a command did to the store, and the code of the error that it ended with. */
export interface Done {
  command: Command
  calls: StoreCall[]
  refused?: string
}

let current: { file: string; store: SqliteStore; work: ReturnType<typeof worker> } | undefined
let calls: StoreCall[] = []

function workOn(file: string): ReturnType<typeof worker> {
  if (current?.file === file) return current.work
  current?.store.close()
  const store = sqliteStore({ file })
  current = { file, store, work: worker(recordingStore(store, (call) => calls.push(call))) }
  return current.work
}

async function perform({ file, commands }: Task): Promise<Done[]> {
  const work = workOn(file)
  const done: Done[] = []
  for (const command of commands) {
    calls = []
    try {
      await work(command)
      done.push({ command, calls })
    } catch (error) {
      if (!ThroughlineError.isInstance(error)) throw error
      const details = error.code === 'STORE_FAILED' ? `: ${error.message}` : ''
      done.push({ command, calls, refused: `${error.code}${details}` })
    }
  }
  return done
}

process.on('message', (task: Task) => {
  void perform(task).then((done) => process.send?.(done))
})
