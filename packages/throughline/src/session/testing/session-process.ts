import { once } from 'node:events'
import { setTimeout as passed } from 'node:timers/promises'
import { openSession } from '../session.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts'
import type { Message } from '../../log/message.ts'
import type { SessionEvent } from '../events.ts'

/** What one of several processes does with the session that they share. */
export interface SessionTask {
  file: string
  /** Its messages bear this name. */
  name: string
  /** At least as many; and more, until it has met what the other one does. */
  rounds: number
  /** It hands over an array of its own, or appends to what stands there. */
  as: 'host' | 'loop'
  context: number
}

/** What the process was told meanwhile. */
export interface SessionDone {
  rounds: number
  compactions: number
  events: SessionEvent['type'][]
  /** The rewinds that undid what others had said, by the entry that they went back to. */
  rewoundOthers: number[]
}

async function perform(task: SessionTask): Promise<SessionDone> {
  const { file, name, rounds, as, context } = task
  const store = sqliteStore({ file })
  const done: SessionDone = { rounds: 0, compactions: 0, events: [], rewoundOthers: [] }
  const session = await openSession({
    store,
    id: 'shared',
    window: { context },
    onEvent: (event) => {
      done.events.push(event.type)
      if (event.type === 'compaction-finished') done.compactions += 1
      if (event.type === 'rewound-others') done.rewoundOthers.push(event.to)
    },
  })
  process.send?.('opened')
  await once(process, 'message')
  const array: Message[] = [{ role: 'user', content: 'Begin.' }]
  const hasMet = (): boolean =>
    as === 'host' ? done.rewoundOthers.length > 0 : done.events.includes('written-elsewhere')
  for (let round = 0; round < rounds || !hasMet(); round++) {
    const text = `${name} ${round} `
    if (as === 'host') {
      array.push({ role: 'assistant', content: text }, { role: 'user', content: `go on, ${text}` })
      await reconcile(session, array)
    } else {
      await session.say(text.repeat(200))
      const message = { role: 'assistant', content: `done, ${text}` } as const
      await session.append({ kind: 'message', at: 0, origin: 'model', finish: 'stop', message })
      await session.fit()
    }
    done.rounds += 1
    // The other one has its turn.
    await passed(1)
  }
  await session.close()
  store.close()
  return done
}

process.once('message', (task: SessionTask) => {
  void perform(task).then((done) => process.send?.(done))
})
