import { ThroughlineError } from '../../../log/throughline-error.ts'
import { storeAt, worker, type Command, type Place } from './do-command.ts'
import { recordingStore, type StoreCall } from './recording-store.ts'

/** One of several processes that use a store at the same time. */
export interface Task extends Place {
  commands: readonly Command[]
}

/** What a command did to the store, and the code of the error that it ended with. */
export interface Done {
  command: Command
  calls: StoreCall[]
  refused?: string
}

let current: { path: string; store: Disposable; work: ReturnType<typeof worker> } | undefined
let calls: StoreCall[] = []

function workOn(place: Place): ReturnType<typeof worker> {
  const { path } = place
  if (current?.path === path) return current.work
  current?.store[Symbol.dispose]()
  const store = storeAt(place)
  current = { path, store, work: worker(recordingStore(store, (call) => calls.push(call))) }
  return current.work
}

async function perform({ commands, ...place }: Task): Promise<Done[]> {
  const work = workOn(place)
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
