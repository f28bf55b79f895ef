import { additionsFor, engineKeyOf, type EngineMessage } from './additions.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { entriesInForce } from '../../log/history.ts'
import { fieldsOf } from '../../json/fields.ts'
import { forkSession } from '../../session/operations/fork.ts'
import { oneAtATime, type OneAtATime } from '../../session/compacting/one-at-a-time.ts'
import {
  openSession,
  type CompactRequest,
  type Session,
  type SessionOptions,
} from '../../session/session.ts'
import { project, type HostForms } from '../../compaction/render/project.ts'
import { unlessOvertaken } from '../../session/unless-overtaken.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'
import { messageText, type Message } from '../../log/message.ts'
import type { Report } from '../../compaction/report.ts'

/** What an engine is made of: one store and one policy for all sessions of a host. */
export interface ContextEngineOptions extends Omit<SessionOptions, 'id' | 'window'> {
  /** The budget of requests for which the host names none. Default: 128,000 tokens. */
  budget?: number
  /** What a session has of its own: its model, who writes its summaries, who hears of it. */
  forSession?: (session: string) => Partial<Omit<SessionOptions, 'id' | 'store' | 'window'>>
}

/** What a host says of its next request. */
interface AssembleRequest {
  messages?: readonly EngineMessage[]
  /** How many tokens the view and the answer may have together. */
  budget?: number | undefined
  signal?: AbortSignal
}

/** The context of the next request. */
interface Assembled {
  messages: Message[]
  /** Tokens of the model. */
  tokens: number
  /** Why it may still be too long; missing if all is well. */
  problem?: string
  /** The sizes of a compaction that this call made. */
  compacted?: { before: number; after: number }
  /** When the newest summary was made: what the host measured before it says nothing of this view. */
  summarizedAt?: number
  /** The same in the host's own messages. */
  view: <Native extends object>(forms: HostForms<Native>) => Native[]
}

interface EngineCompaction {
  /** The provider has refused the request, or someone asked. Default: someone asked. */
  trigger?: 'overflow' | 'manual'
  focus?: string
  budget?: number | undefined
  signal?: AbortSignal
}

/** A compaction of what a host tells only with its next request. */
interface NextCompaction {
  /** What may be left of the view, from 0 to 1. */
  share: number
  focus?: string
}

/** What became of it. There always is an answer. */
interface EngineCompacted {
  compacted: boolean
  before: number
  after: number
  summary?: string
  /** Why nothing was compacted. */
  reason?: string
}

interface Turn {
  /** A turn with the same key is taken once. */
  key: string
  messages: readonly EngineMessage[]
}

/** All context management of a host that has a slot for it. */
export interface ContextEngine {
  /** Takes in the history of a session that the engine sees for the first time, or again. */
  bootstrap: (session: string, messages: readonly EngineMessage[]) => Promise<number>
  /** Takes in what is new among these messages; returns how many that were. */
  ingest: (session: string, messages: readonly EngineMessage[]) => Promise<number>
  /**
   * The next request, within four fifths of its budget, so that the answer has room. Until the next
   * compaction it begins with the same messages as the one before.
   */
  assemble: (session: string, request?: AssembleRequest) => Promise<Assembled>
  /** Compacts what it was told, or says why not. */
  compact: (session: string, request?: EngineCompaction) => Promise<EngineCompacted>
  /**
   * Has the next `assemble` compact, once it was told the rest: for a host that asks in the middle of
   * a turn, and whose count of the same messages may be another.
   */
  compactNext: (session: string, request: NextCompaction) => Promise<void>
  /** Takes in a turn whole or not at all, and each turn once. */
  commit: (session: string, turn: Turn) => Promise<'committed' | 'duplicate'>
  /** A sub-agent's session begins with all that its parent has so far. */
  fork: (session: string, as: string) => Promise<void>
  /** What a sub-agent said last becomes a fact of its parent, which calls the sub-agent `name`. */
  receive: (session: string, child: string, name?: string) => Promise<void>
  /** The session behind a name, for pins, undo and recall. */
  session: (session: string) => Promise<Session>
  /** Ends all background work. */
  dispose: () => Promise<void>
}

const defaultBudget = 128_000
// A host that counts more carefully than the provider leaves no room for the answer above this.
const shareOfView = 0.8
// Another process may be writing at the same time.
const attempts = 5

interface Opened {
  session: Session
  /** Compacts with a summary by code alone. */
  byCode: (request: CompactRequest) => Promise<Report>
  /** What the host allows, and the least that a compaction takes for it, to leave less behind. */
  frame: { budget: number; usable: number }
  inTurn: OneAtATime
  due: NextCompaction | undefined
}

/**
 * The engine for a host that lets a plugin own its context: it is asked for the messages of each
 * request, and told what was said. Take this one if the host keeps the loop and names each message
 * by a key, and may show only its newest ones; take a conversation (`throughline/conversation`) if
 * the loop is yours and you pass whole arrays.
 * @example
 * const engine = contextEngine({ store: memoryStore() })
 * const said = { key: 'm1', at: 0, origin: 'human', message: { role: 'user', content: 'Go.' } } as const
 * await engine.commit('session', { key: 'turn-1', messages: [said] })
 * const { messages } = await engine.assemble('session', { budget: 200_000 })
 */
export function contextEngine(options: ContextEngineOptions): ContextEngine {
  const { budget: usual = defaultBudget, policy = defaultPolicy, forSession, ...rest } = options
  const opened = new Map<string, Promise<Opened>>()

  function open(id: string): Promise<Opened> {
    const known = opened.get(id)
    if (known) return known
    const opening = openNow(id)
    opened.set(id, opening)
    opening.catch(() => opened.delete(id))
    return opening
  }

  async function openNow(id: string): Promise<Opened> {
    const frame: Opened['frame'] = { budget: usual, usable: Infinity }
    const smaller = (usable: number): number => Math.min(usable, frame.usable)
    const { summarizer, ...own } = { ...rest, ...forSession?.(id) }
    const begin = (by: Pick<SessionOptions, 'summarizer'>): Promise<Session> =>
      openSession({
        ...own,
        ...by,
        id,
        policy: {
          ...policy,
          reserved: ({ context }) => Math.ceil(context * (1 - shareOfView)),
          lowWater: (usable) => policy.lowWater(smaller(usable)),
          keep: (usable) => policy.keep(smaller(usable)),
          tail: (usable, keep) => policy.tail(smaller(usable), keep),
          longestTail: (usable, keep) => policy.longestTail(smaller(usable), keep),
          recent: (usable) => policy.recent(smaller(usable)),
          standing: (usable) => policy.standing(smaller(usable)),
        },
        get window() {
          return { context: frame.budget }
        },
      })
    const session = await begin(summarizer ? { summarizer } : {})
    const byCode = async (request: CompactRequest): Promise<Report> => {
      const other = await begin({})
      const report = await other.compact(request)
      await other.close()
      await session.sync()
      return report
    }
    return { session, byCode, frame, inTurn: oneAtATime(), due: undefined }
  }

  /** Appends what `drafts` says of the newest log, all of it or nothing. */
  async function append(
    { session }: Opened,
    drafts: () => Promise<EntryDraft[] | undefined>,
  ): Promise<number | undefined> {
    return unlessOvertaken(attempts, async () => {
      await session.sync()
      const added = await drafts()
      if (!added || added.length === 0) return added?.length
      await session.appendAfter(session.context().seq, ...added)
      return added.filter(({ kind }) => kind === 'message').length
    })
  }

  async function additions({ session }: Opened, messages: readonly EngineMessage[]) {
    return additionsFor(entriesInForce(await session.log()), messages)
  }

  async function ingest(id: string, messages: readonly EngineMessage[]): Promise<number> {
    const at = await open(id)
    return at.inTurn(async () => (await append(at, () => additions(at, messages))) ?? 0)
  }

  return {
    bootstrap: ingest,
    ingest,
    async assemble(id, { messages = [], budget, signal } = {}) {
      const at = await open(id)
      const { session } = at
      at.frame.budget = budgetOf(budget, at.frame.budget)
      await ingest(id, messages)
      const { due } = at
      at.due = undefined
      const asked = signal ? { signal } : {}
      const before = session.measure().tokens
      const reports: Report[] = []
      const problem = await problemOf(async () => {
        if (due) reports.push(await compactTo(at, due, asked))
        reports.push(await session.fit(asked))
      })
      const { tokens } = session.measure()
      const isCompacted = reports.some(({ action }) => action !== 'none')
      const summarizedAt = session.context().checkpoint?.at
      return {
        messages: session.messages(),
        tokens,
        ...(problem !== undefined && { problem }),
        ...(isCompacted && { compacted: { before, after: tokens } }),
        ...(summarizedAt !== undefined && { summarizedAt }),
        view: (forms) => project(session.context(), forms, summaryRoleOf(session.policy)),
      }
    },
    async compact(id, { trigger = 'manual', focus, budget, signal } = {}) {
      const at = await open(id)
      const { session } = at
      at.frame.budget = budgetOf(budget, at.frame.budget)
      const before = session.measure().tokens
      let report: Report | undefined
      const problem = await problemOf(async () => {
        await session.sync()
        const request = { ...(focus && { focus }), ...(signal && { signal }) }
        report = await (trigger === 'overflow'
          ? session.recover(request)
          : session.compact(request))
      })
      const after = session.measure().tokens
      if (report && report.action !== 'none') {
        const summary = session.context().checkpoint?.summary
        return { compacted: true, before, after, ...(summary !== undefined && { summary }) }
      }
      return { compacted: false, before, after, reason: problem ?? report?.reason ?? 'nothing' }
    },
    async compactNext(id, request) {
      const at = await open(id)
      at.due = request
    },
    async commit(id, { key, messages }) {
      const at = await open(id)
      const done = await at.inTurn(() =>
        append(at, async () => {
          const isKnown = (await at.session.log()).some((entry) => isTurn(entry, key))
          if (isKnown) return undefined
          const observation = { type: 'note', name: turnNote, data: { key } } as const
          const note: EntryDraft = { kind: 'observation', at: at.session.now(), observation }
          return [...(await additions(at, messages)), note]
        }),
      )
      return done === undefined ? 'duplicate' : 'committed'
    },
    async fork(id, as) {
      await forkSession(options.store, id, as)
    },
    async receive(id, child, name = child) {
      const { session, inTurn } = await open(id)
      const other = (await open(child)).session
      await inTurn(async () => {
        await Promise.all([session.sync(), other.sync()])
        const log = await session.log()
        const report = reportIn(await other.log(), log)
        const failed = report === undefined
        const isKnown = log.some((entry) => isReport(entry, name, report ?? ''))
        if (!isKnown) await session.receive(name, report ?? 'It gave no answer.', { failed })
      })
    },
    session: async (id) => (await open(id)).session,
    async dispose() {
      const all = [...opened.values()]
      opened.clear()
      await Promise.allSettled(all.map(async (each) => (await each).session.close()))
    },
  }
}

/** What a sub-agent said last, after what it has of its parent. */
function reportIn(log: readonly Entry[], parents: readonly Entry[]): string | undefined {
  const said = log.findLast(
    (entry) =>
      entry.kind === 'message' &&
      entry.message.role === 'assistant' &&
      messageText(entry.message).trim() !== '',
  )
  if (said?.kind !== 'message') return undefined
  const key = engineKeyOf(said)
  return parents.some((entry) => key !== undefined && engineKeyOf(entry) === key)
    ? undefined
    : messageText(said.message)
}

function isReport(entry: Entry, name: string, report: string): boolean {
  if (entry.kind !== 'message' || entry.metadata?.['received'] !== name) return false
  return messageText(entry.message).includes(report)
}

/** What a turn that is over is known by. */
export const turnNote = 'turn-committed'

function isTurn(entry: Entry, key: string): boolean {
  if (entry.kind !== 'observation' || entry.observation.type !== 'note') return false
  const { name, data } = entry.observation
  return name === turnNote && fieldsOf(data)?.['key'] === key
}

/** A compaction leaves half of what is usable: so much is usable then that the share is half of it. */
async function compactTo(
  { session, byCode, frame }: Opened,
  { share, focus }: NextCompaction,
  asked: { signal?: AbortSignal },
): Promise<Report> {
  frame.usable = Math.ceil(2 * share * session.measure().tokens)
  const request = { ...asked, ...(focus !== undefined && { focus }) }
  try {
    return await (saysNothingNew(session) ? byCode(request) : session.compact(request))
  } finally {
    frame.usable = Infinity
  }
}

/** In a long turn, only the agent has said something since the newest summary. */
function saysNothingNew(session: Session): boolean {
  const { checkpoint, items } = session.context()
  if (!checkpoint) return false
  const said = items.filter((item) => 'origin' in item && item.origin === 'human')
  return said.every(({ seq }) => seq < checkpoint.seq)
}

function budgetOf(named: number | undefined, before: number): number {
  return named !== undefined && Number.isFinite(named) && named > 0 ? Math.floor(named) : before
}

/** A host takes an engine that throws out of its slot: a problem is said, and nothing is lost. */
async function problemOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
