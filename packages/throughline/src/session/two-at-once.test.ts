import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { memoryStore } from '../stores/memory.ts'
import { sqliteStore } from '../stores/sqlite/index.ts'
import { human } from '../testing/generate/build.ts'
import { reconcile } from './reconcile/reconcile.ts'
import { openSession, type Session } from './session.ts'
import type { Message } from '../log/message.ts'
import type { SessionEvent } from './events.ts'
import type { Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-two-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Process {
  session: Session
  events: SessionEvent[]
}

async function opened(store: Store): Promise<Process> {
  const events: SessionEvent[] = []
  const session = await openSession({
    store,
    id: 'shared',
    window: { context: 32_000 },
    onEvent: (event) => void events.push(event),
  })
  return { session, events }
}

const user = (content: string): Message => ({ role: 'user', content })
const answer = (content: string): Message => ({ role: 'assistant', content })

function of<Type extends SessionEvent['type']>({ events }: Process, type: Type) {
  return events.filter((event) => event.type === type) as Extract<SessionEvent, { type: Type }>[]
}

describe.each([
  ['in memory', () => [memoryStore()]],
  ['on one file', () => [0, 1].map(() => sqliteStore({ file: join(folder, 'a.db') }))],
])('two processes at work on one session, %s', (_, stores) => {
  it('are told of each rewind that undoes what the other one has said', async () => {
    const [one, two = one] = stores() as Store[]
    const mine = await opened(one as Store)
    const arrays = { mine: [user('Begin.')], theirs: [user('Begin.')] }
    await reconcile(mine.session, arrays.mine)
    const theirs = await opened(two as Store)
    const rounds = 20
    for (let round = 0; round < rounds; round++) {
      arrays.mine.push(answer(`mine ${round}`), user(`go on, mine ${round}`))
      await reconcile(mine.session, arrays.mine)
      arrays.theirs.push(answer(`theirs ${round}`), user(`go on, theirs ${round}`))
      await reconcile(theirs.session, arrays.theirs)
    }
    const log = await theirs.session.log()
    const rewinds = log.filter(({ kind }) => kind === 'rewind')
    expect(rewinds).toHaveLength(2 * rounds - 1)
    const told = [...of(mine, 'rewound-others'), ...of(theirs, 'rewound-others')]
    expect(told).toHaveLength(rewinds.length)
    const said = told.flatMap(({ entries }) => entries.map((entry) => JSON.stringify(entry)))
    for (let round = 0; round < rounds; round++) {
      expect(said.some((text) => text.includes(`"mine ${round}"`))).toBe(true)
    }
    const notes = log.filter((entry) => JSON.stringify(entry).includes('"rewound-others"'))
    expect(notes).toHaveLength(rewinds.length)
    // Each still sees its own conversation, and nothing of the other's.
    await mine.session.sync()
    expect(JSON.stringify(theirs.session.messages())).not.toContain('mine')
  })

  it('are told of what the other one adds', async () => {
    const [one, two = one] = stores() as Store[]
    const mine = await opened(one as Store)
    const theirs = await opened(two as Store)
    await theirs.session.append(human('From elsewhere.'))
    await mine.session.say('From here.')
    expect(of(mine, 'written-elsewhere').map(({ entries }) => entries)).toMatchObject([
      [{ message: { content: 'From elsewhere.' } }],
    ])
    expect(of(theirs, 'written-elsewhere')).toEqual([])
    await theirs.session.sync()
    expect(of(theirs, 'written-elsewhere')).toHaveLength(1)
  })
})

test('what is said between the look and the rewind is not undone unseen', async () => {
  const store = memoryStore()
  const theirs = await opened(store)
  let between = async (): Promise<void> => {}
  const mine = await opened({
    ...store,
    append: async (...call: Parameters<Store['append']>) => {
      await between()
      return store.append(...call)
    },
  })
  await reconcile(mine.session, [user('Begin.'), answer('One.'), user('More.')])
  between = async () => {
    between = async () => {}
    await theirs.session.sync()
    await theirs.session.say('Wait, not so fast.')
  }
  const { rewoundOthers } = await reconcile(mine.session, [user('Begin.'), answer('Another.')])
  expect(rewoundOthers).toMatchObject([{ message: { content: 'Wait, not so fast.' } }])
  expect(of(mine, 'rewound-others')).toHaveLength(1)
})

describe('one process alone', () => {
  it('is told of nothing, whatever its host does', async () => {
    const store = memoryStore()
    const mine = await opened(store)
    await reconcile(mine.session, [user('Begin.'), answer('One.'), user('More.')])
    await reconcile(mine.session, [user('Begin.'), answer('Another.')])
    await reconcile(mine.session, [user('Something else.')])
    await mine.session.say('And on.')
    await mine.session.pin('Keep this.')
    await mine.session.redact({ text: 'And on' })
    await mine.session.compact()
    await mine.session.rewind(1)
    await mine.session.sync()
    const again = await opened(store)
    await reconcile(again.session, [user('Something else.'), answer('Anew.')])
    for (const each of [mine, again]) {
      expect(of(each, 'rewound-others')).toEqual([])
      expect(of(each, 'written-elsewhere')).toEqual([])
    }
  })
})
