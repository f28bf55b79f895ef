import { writeSync } from 'node:fs'
import { forkSession } from '../../session/operations/fork.ts'
import { openSession } from '../../session/session.ts'
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts'
import { human, step } from '../../testing/generate/build.ts'
import { digestOf, secret, works, type Line, type Work } from './work.ts'

// A writer that will be killed. Before each piece of work it reports that it begins, and once the
// store has returned, what is in it. argv holds the store's file and the name of the session.
const [file = '', id = ''] = process.argv.slice(2)

say({ begins: 'open' })
const store = sqliteStore({ file })
const session = await openSession({ store, id, window: { context: 12_000 } })
await acknowledge('open')

for (;;) {
  for (const work of works) {
    say({ begins: work })
    await carryOut(work)
    await acknowledge(work)
  }
}

async function carryOut(work: Work): Promise<unknown> {
  const { seq } = session.context()
  switch (work) {
    case 'append': {
      const output = `line of a file\nkey = ${secret}\n`.repeat(120)
      return session.append(human(`Request ${seq}`), ...step(`c${seq}`, 'Read', {}, output))
    }
    case 'fit':
      return session.fit()
    case 'compact':
      return session.compact()
    case 'search':
      return store.search(id, { phrases: [['request']], match: 'all', limit: 9 })
    case 'fork':
      return forkSession(store, id, `${id} fork ${seq}`)
    case 'remove': {
      const [oldest] = Object.keys(await forks())
      return oldest === undefined ? undefined : store.remove(oldest)
    }
    case 'redact':
      return session.redact({ text: secret })
    case 'open':
      return undefined
  }
}

async function acknowledge(did: Work): Promise<void> {
  const entries = await store.read(id)
  say({ did, newest: entries.length, digest: digestOf(entries), forks: await forks() })
}

async function forks(): Promise<Record<string, number>> {
  const own = (await store.sessions()).filter((each) => each.id.startsWith(`${id} fork `))
  return Object.fromEntries(own.toReversed().map((each) => [each.id, each.newest]))
}

/** Printed at once, so that the report survives whenever the process ends. */
function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
