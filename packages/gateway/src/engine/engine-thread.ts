import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Readable } from 'node:stream'
import { carried, received } from './errors.ts'
import { LiveSession, type Fitted, type Wanted } from '../sessions/live-session.ts'
import { summarizerFor } from '../sessions/summarizer.ts'
import { sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { wireNamed } from '../wires/wires.ts'
import type {
  CarriedAnswer,
  CarriedFitted,
  CarriedItem,
  FromThread,
  OpenedAs,
  Outcome,
  Question,
  SentConversation,
  SessionState,
  ThreadData,
  Told,
  ToThread,
  Work,
} from './protocol.ts'
import type { Fields } from '../body/json.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { SentElement } from '../sessions/hidden-exchanges.ts'
import type { SessionEvent, Store } from 'throughline'
import type { Upstream } from '../upstream/upstream.ts'

// The code of a thread: sessions that are at work here, and nothing else.
const port = parentPort as MessagePort
const { folder, hears } = workerData as ThreadData

interface AtWork {
  live: LiveSession
  /** What was made of the newest list, by the numbers that the other thread knows. */
  made: ReadonlyMap<Buffer, number>
  lastMade: number
  elements: readonly SentElement[]
  frame: { system?: unknown; tools?: unknown }
}

/** By the numbers of their openings. */
const sessions = new Map<number, AtWork>()
const questions = new Map<number, (outcome: Outcome) => void>()
let last = 0

function post(message: FromThread): void {
  port.postMessage(message)
}

function ask(question: Question, signal?: AbortSignal): Promise<unknown> {
  const number = ++last
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const giveUp = (): void => {
      void ask({ of: 'upstream', givenUp: number })
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    questions.set(number, (outcome) => {
      signal?.removeEventListener('abort', giveUp)
      if ('error' in outcome) reject(received(outcome.error))
      else resolve(outcome.value)
    })
    post({ is: 'question', number, question })
  })
}

const upstream: Upstream = {
  async send({ caller, method, url, headers, body, asks, signal }) {
    const bytes = new Uint8Array(body as Buffer)
    const request = { caller, method, url: url.href, headers, body: bytes, asks }
    const answer = (await ask({ of: 'upstream', request }, signal)) as CarriedAnswer
    return { ...answer, body: Readable.from([Buffer.from(answer.body)]) }
  },
  close: async () => {},
}

const own = folder === undefined ? undefined : sqliteGatewayStore({ folder })

/** The logs that only the other thread can reach. */
function askedLogs(): Store {
  const asks =
    (name: Extract<Question, { of: 'logs' }>['name'], most: number) =>
    (...given: unknown[]) =>
      ask({ of: 'logs', name, given: given.slice(0, most) }) as Promise<never>
  return {
    append: asks('append', 3),
    read: asks('read', 2),
    search: asks('search', 2),
    sessions: asks('sessions', 0),
    remove: asks('remove', 1),
    redact: () => Promise.reject(new TypeError('Nothing is redacted here.')),
  }
}

const store: Pick<GatewayStore, 'logs' | 'heard' | 'heardOf'> = {
  logs: own?.logs ?? askedLogs(),
  ...(hears && {
    heard: (...given: unknown[]) => ask({ of: 'store', name: 'heard', given }) as Promise<void>,
    heardOf: (...given: unknown[]) =>
      ask({ of: 'store', name: 'heardOf', given }) as Promise<never>,
  }),
}

function atWork(id: string, as: OpenedAs): AtWork {
  const { opening, wire: name, summaryModel, summaryTimeout } = as
  const before = sessions.get(opening)
  if (before) return before
  const wire = wireNamed(name)
  const live = new LiveSession({
    id,
    wire,
    store,
    summaryTimeout,
    summarizer: summarizerFor(wire, summaryModel, upstream),
    onEvent: (event) => told(id, event),
  })
  const made: AtWork = { live, made: new Map(), lastMade: 0, elements: [], frame: {} }
  sessions.set(opening, made)
  return made
}

/** All but what nobody asks for, and may be as long as the session. */
function told(session: string, event: SessionEvent): void {
  if (event.type !== 'compaction-finished') return
  post({ is: 'event', session, event })
}

/** The whole conversation, of which only what is new has come. */
function wantedOf(at: AtWork, sent: SentConversation): Wanted {
  const { kept, bytes, lengths, hidden, frame, ...rest } = sent
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isHidden = new Set(hidden)
  let from = 0
  const added = lengths.map((length, index): SentElement => {
    const value = JSON.parse(text.toString('utf8', from, from + length)) as Fields
    from += length
    const place = kept + index
    // Where it stands among them; its bytes are in the other thread.
    return { value, ...(!isHidden.has(place) && { span: { start: place, end: place } }) }
  })
  at.elements = [...at.elements.slice(0, kept), ...added]
  if (frame !== undefined) at.frame = JSON.parse(frame) as AtWork['frame']
  const { system, tools } = at.frame
  return { ...rest, elements: at.elements, body: Buffer.of(), system, tools }
}

/** What was made stays the same for long: it is carried once. */
function carriedFitted(at: AtWork, { list, ...fitted }: Fitted): CarriedFitted {
  const anew: CarriedFitted['made'] = []
  const made = new Map<Buffer, number>()
  const items: CarriedItem[] = []
  for (const item of list ?? []) {
    if ('made' in item) {
      const known = at.made.get(item.made) ?? made.get(item.made)
      const number = known ?? ++at.lastMade
      if (known === undefined) {
        anew.push([number, new Uint8Array(item.made), item.marked && new Uint8Array(item.marked)])
      }
      made.set(item.made, number)
      items.push({ made: number })
      continue
    }
    const { start: own } = item.own
    const last = items.at(-1)
    if (last && 'own' in last && last.own + last.count === own) last.count += 1
    else items.push({ own, count: 1 })
  }
  at.made = made
  return { ...fitted, list: list && items, made: anew }
}

async function done(opening: number, at: AtWork, work: Work): Promise<unknown> {
  const { live } = at
  switch (work.what) {
    case 'fit':
      return carriedFitted(at, await live.fit(wantedOf(at, work.conversation), work.for))
    case 'recover': {
      const fitted = await live.recover(wantedOf(at, work.conversation), work.error)
      return fitted && carriedFitted(at, fitted)
    }
    case 'reply':
      return live.reply(wantedOf(at, work.conversation), work.call)
    case 'close':
      sessions.delete(opening)
      return live.close()
  }
}

function hear({ live }: AtWork, told: Told): void {
  if (told.what === 'used') live.used(told.now)
  else live[told.what](told.to, told.heard)
}

function stateOf({ live }: AtWork): SessionState {
  const { place, threshold, tokens } = live
  return { place, threshold, tokens, isAsked: live.isAsked }
}

async function work(message: ToThread & { is: 'work' }): Promise<void> {
  const { number, session, as, told, work } = message
  const at = atWork(session, as)
  try {
    for (const one of told) hear(at, one)
    const value = work && (await done(as.opening, at, work))
    post({ is: 'done', number, value, state: stateOf(at) })
  } catch (error) {
    post({ is: 'done', number, error: carried(error), state: undefined })
  }
}

async function end(): Promise<void> {
  await Promise.all([...sessions.values()].map(({ live }) => live.close()))
  await own?.close()
  port.close()
}

port.on('message', (message: ToThread) => {
  switch (message.is) {
    case 'work':
      void work(message)
      break
    case 'answer':
      questions.get(message.number)?.(message)
      questions.delete(message.number)
      break
    case 'ping':
      post({ is: 'pong' })
      break
    case 'end':
      void end()
  }
})
post({ is: 'ready' })
