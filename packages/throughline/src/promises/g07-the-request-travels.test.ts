import { expect, it } from 'vitest'
import { apiWriters } from '../formats/harnesses.ts'
import { importSession, readSession, readStored, writtenSession } from '../formats/index.ts'
import { memoryLedger, type Ledger } from '../ledger/ledger.ts'
import { messageText } from '../log/message.ts'
import { noteWritten } from '../formats/writing/note-written.ts'
import { openSession, type Session } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { testIdentity } from '../testing/conformance/writer-conformance.ts'
import { assistant, human } from '../testing/generate/build.ts'
import type { Store } from '../session/store.ts'

const older = 'Explain the lexer. Never touch src/lexer.ts.'
const latest = 'Skip 5 and 7. Fix the parser in src/parser.ts.'

/** Between the older request and the latest, everything is left out: an API has them in one message. */
async function asked(): Promise<Store> {
  const store = memoryStore()
  await store.append('a', [
    human('Work on the first task.'),
    assistant('The first task is done.'),
    human(older),
    assistant('The lexer reads letters. '.repeat(2_000)),
    human(latest),
  ])
  return store
}

const opened = (store: Store): Promise<Session> =>
  openSession({ store, id: 'a', window: { context: 9_000 } })

const ways = apiWriters.flatMap((writer) =>
  ([[], [memoryLedger()]] as const).map(
    ([ledger]) =>
      [writer.name, ledger ? 'with its ledger' : 'without a ledger', { writer, ledger }] as const,
  ),
)

async function elsewhere(
  store: Store,
  { writer, ledger }: { writer: (typeof apiWriters)[number]; ledger: Ledger | undefined },
): Promise<Store> {
  const { log, facts } = await readStored(store, 'a')
  const written = writtenSession(log, facts, { kind: 'session', name: 'a' })
  if (ledger) noteWritten(ledger, written, { log, now: 0 })
  const { text } = writer.write(written, testIdentity())
  const next = memoryStore()
  await importSession(next, await readSession([text], ledger ? { ledger } : {}), { id: 'a' })
  return next
}

it.each(ways)(
  'what the human said is told apart from our words beside it, and the newest is the request: %s, %s',
  async (_, __, way) => {
    let store = await asked()
    for (let generation = 0; generation < 3; generation++) {
      await (await opened(store)).compact()
      store = await elsewhere(store, way)
      const session = await opened(store)
      const { log } = await readStored(store, 'a')
      const said = log.flatMap((entry) =>
        entry.kind === 'message' && entry.origin === 'human' ? [messageText(entry.message)] : [],
      )
      expect(said.at(-1)).toBe(latest)
      expect(said.join('\n')).not.toContain('[')
      const { text } = (await session.facts()).requests.at(-1) ?? {}
      expect(text).toBe(latest)
      expect(JSON.stringify(session.messages())).toContain(older)
    }
  },
)
