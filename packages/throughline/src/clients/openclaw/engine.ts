import { askHost, type HostModel } from './ask-host.ts'
import { authorOf, compactionRecord } from '../client-session.ts'
import { contextEngine, type ContextEngine } from '../../hosts/context-engine/context-engine.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { entryAt } from '../../log/order.ts'
import { messageText } from '../../log/message.ts'
import { formsOf, readMessages, withSameIds } from './messages.ts'
import { nativeText } from '../../formats/openclaw/reader.ts'
import { askedIn, askedNote } from './asked-note.ts'
import { SummaryCalls } from '../summary-calls.ts'
import type {
  AssembleCall,
  CompactAnswer,
  CompactCall,
  OpenClawCall,
  OpenClawEngine,
} from './api.ts'
import type { ClientRecord } from '../record.ts'
import type { EngineMessage } from '../../hosts/context-engine/additions.ts'
import type { ClientSettings } from '../settings.ts'
import { isRedaction, type Entry } from '../../log/entry.ts'
import type { CompactionAsked } from '../../session/agent/compact-tool.ts'
import type { Fields } from '../../json/fields.ts'
import type { OwnSession } from '../command.ts'
import type { Session } from '../../session/session.ts'
import type { Store } from '../../session/store.ts'

export const engineId = 'throughline'

interface SlotOptions {
  store: Store
  settings: () => Pick<ClientSettings, 'local' | 'off' | 'patience'>
  record: (entry: Omit<ClientRecord, 'at' | 'client'>) => void
  /** What the plugins of the host's memory say before the conversation. */
  memory: (call: AssembleCall) => string | undefined
  /** All that the host has of a session. */
  history: (call: OpenClawCall) => Promise<readonly Fields[]>
  /** The host's own compaction of its own transcript. */
  byHost: (call: CompactCall) => Promise<CompactAnswer>
}

/** What the host says in the agent's place after a compaction in the midst of a turn. */
interface Continued {
  text: string
  at: number
  /** The message before it. */
  after: string
}

interface Slot {
  port: ContextEngine
  engine: () => OpenClawEngine
  /** A session, for tools and commands. */
  own: (session: string) => Promise<OwnSession>
}

// Of what the next request would have: as little as leaves a whole step or more word for word.
const share = 1 / 4

/** The port as OpenClaw calls it: a durable turn has no other calls than these. */
export function slotOf({ store, settings, record, memory, history, byHost }: SlotOptions): Slot {
  const models = new Map<string, HostModel>()
  const ownTexts = new Map<string, Set<string>>()
  /** What is compacted at the next request, when the host has told the whole turn. */
  const due = new Map<string, CompactionAsked>()
  const continued = new Map<string, Continued>()
  /** What a turn had for its first request: in its course, the host takes off what it adds. */
  const budgets = new Map<string, number | undefined>()
  /** The sub-agents, by the names that their parents know. */
  const spawned = new Map<string, { parent: string; child: string }>()
  /** What ended in the midst of its parent's turn. */
  const reports = new Map<string, { parent: string; told: () => Promise<void> }>()
  const port = contextEngine({
    store,
    policy: {
      ...defaultPolicy,
      recallTool: 'throughline_recall',
      continuation: () => null,
      attempts: 2,
    },
    forSession(session) {
      const calls = new SummaryCalls((told) => record({ event: 'call', session, ...told }))
      const ask = askHost(() => models.get(session), settings)
      let began = performance.now()
      return {
        ...(!settings().local && {
          summarizer: {
            ...calls.summarizer('openclaw', ask, (each) => each),
            // Its budget is another for each request: what was made for one would fit no other.
            isAskedAnyway: true,
          },
        }),
        onEvent(event) {
          calls.heard(event)
          if (event.type === 'compaction-started') began = performance.now()
          if (event.type !== 'compaction-finished') return
          const { report } = event
          const ms = Math.round(performance.now() - began)
          const author = authorOf(report, calls.takeProblems())
          record(compactionRecord(session, { report, ...author, ms }))
        },
      }
    },
  })

  function hear({ sessionId, runtimeContext }: OpenClawCall): void {
    if (runtimeContext?.llm) models.set(sessionId, runtimeContext.llm)
  }

  function failed(session: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    record({ event: 'error', session, reason })
  }

  function ownOf(session: string): Set<string> {
    const texts = ownTexts.get(session) ?? new Set()
    ownTexts.set(session, texts)
    return texts
  }

  /** Has the next request compact what was asked for, by the host or by the agent. */
  async function prepared(session: Session): Promise<CompactionAsked | undefined> {
    const wanted = due.get(session.id) ?? askedIn(await session.log())
    due.delete(session.id)
    if (!wanted) return undefined
    const { focus, keep } = wanted
    if (keep) await session.pin(keep)
    await port.compactNext(session.id, { share, ...(focus && { focus }) })
    return wanted
  }

  async function assembled(
    call: AssembleCall,
  ): Promise<{ messages: Fields[]; tokens: number; epoch: string }> {
    const { sessionId, messages, tokenBudget: named, runtimeSettings, runtimeContext } = call
    const answer = runtimeSettings?.limits?.maxOutputTokens ?? 0
    const budget = named === undefined ? runtimeContext?.tokenBudget : named + answer
    if (!budgets.has(sessionId)) budgets.set(sessionId, budget)
    const session = await port.session(sessionId)
    await session.sync()
    // `/new` and `/reset` keep the name of a session, and take away all that was said.
    const { items } = session.context()
    if (messages.length === 0 && items.some(({ type }) => type === 'message')) {
      await session.rewind(0)
    }
    const wanted = await prepared(session)
    const texts = ownOf(sessionId)
    const theirs = messages.filter((each) => !isOwn(each, texts))
    const read = readMessages(theirs, await session.log())
    const after = read.messages.at(-1)?.key
    if (wanted && call.prompt && after !== undefined) {
      continued.set(sessionId, { text: call.prompt, at: session.now(), after })
    }
    const made = await port.assemble(sessionId, { messages: read.messages, budget })
    if (made.problem !== undefined) failed(sessionId, made.problem)
    const own = (text: string): void => void texts.add(text)
    const log = await session.log()
    const timeOf = (seq: number): number => entryAt(log, seq)?.at ?? 0
    const view = made.view(formsOf(read.natives, { own, timeOf }))
    return { messages: withSameIds(view), tokens: made.tokens, epoch: epochOf(log) }
  }

  /** A session may have lived for months before this engine. */
  async function imported(call: OpenClawCall): Promise<number> {
    try {
      const session = await port.session(call.sessionId)
      await session.sync()
      if ((await session.log()).length > 0) return 0
      const { messages } = readMessages(await history(call))
      return await port.bootstrap(call.sessionId, messages)
    } catch (error) {
      failed(call.sessionId, error)
      return 0
    }
  }

  const engine = (): OpenClawEngine => ({
    info: {
      id: engineId,
      name: 'Throughline',
      turnMaintenanceMode: 'background',
      // Without these, the host goes on as if there were no engine.
      ...(!settings().off && {
        ownsCompaction: true,
        transcriptSemantics: {
          currentTurnFence: 'before-current-turn-entry-v1',
          turnAdvancementIdempotency: 'atomic-idempotent-v1',
        },
      }),
    },
    async bootstrap(call) {
      hear(call)
      return { bootstrapped: true, importedMessages: await imported(call) }
    },
    async ingest(call) {
      hear(call)
      const { messages } = readMessages([call.message])
      return { ingested: (await port.ingest(call.sessionId, messages)) > 0 }
    },
    async assemble(call) {
      hear(call)
      const addition = memory(call)
      const more = addition === undefined ? {} : { systemPromptAddition: addition }
      try {
        const { messages, tokens, epoch } = await assembled(call)
        return { messages, estimatedTokens: tokens, ...projected(epoch), ...more }
      } catch (error) {
        failed(call.sessionId, error)
        return {
          messages: [...call.messages],
          estimatedTokens: 0,
          ...projected('as it came'),
          ...more,
        }
      }
    },
    async commitTurn(call) {
      hear(call)
      const { sessionId, advancementKey: key } = call
      const theirs = call.messages.filter((each) => !isOwn(each, ownOf(sessionId)))
      const { messages } = readMessages(theirs)
      const withPrompt = withContinued(messages, continued.get(sessionId))
      try {
        const status = await port.commit(sessionId, { key, messages: withPrompt })
        continued.delete(sessionId)
        return { status }
      } catch (error) {
        // The host keeps the turn, and tells it again.
        failed(sessionId, error)
        throw error
      }
    },
    // What the next request would wait for is compacted now. In the midst of a turn, what is due waits
    // for that request: it brings the turn, whose words count.
    async maintain(call) {
      hear(call)
      const { sessionId } = call
      const budget = budgets.get(sessionId)
      if (!due.has(sessionId) && budgets.delete(sessionId)) {
        try {
          const session = await port.session(sessionId)
          await session.sync()
          for (const [key, { parent, told }] of reports) {
            if (parent !== sessionId) continue
            reports.delete(key)
            await told()
          }
          await prepared(session)
          const { problem } = await port.assemble(sessionId, { budget })
          if (problem !== undefined) failed(sessionId, problem)
        } catch (error) {
          failed(sessionId, error)
        }
      }
      return { changed: false, bytesFreed: 0, rewrittenEntries: 0 }
    },
    async compact(call) {
      hear(call)
      const { sessionId, compactionTarget, currentTokenCount = 0 } = call
      const focus = call.customInstructions
      try {
        // There, the host sends its own transcript, and asks us for no request.
        const isItsOwn =
          call.runtimeSettings?.executionHost?.id?.startsWith('cli:') ||
          call.runtimeContext?.cliSessionId !== undefined
        if (settings().off || isItsOwn) return await byHost(call)
        if (compactionTarget !== 'threshold') {
          due.set(sessionId, focus ? { focus } : {})
          return done('', currentTokenCount, currentTokenCount * share)
        }
        const { compacted, before, after, summary, reason } = await port.compact(sessionId, {
          ...(focus && { focus }),
          ...(call.abortSignal && { signal: call.abortSignal }),
        })
        if (compacted) return done(summary, before, after)
        return { ok: true, compacted: false, reason: reason ?? 'nothing to compact' }
      } catch (error) {
        failed(sessionId, error)
        const reason = error instanceof Error ? error.message : String(error)
        return { ok: true, compacted: false, reason }
      }
    },
    async prepareSubagentSpawn(call) {
      const { contextMode, parentSessionId: parent, childSessionId: child, childSessionKey } = call
      if (parent && child && childSessionKey) spawned.set(childSessionKey, { parent, child })
      const forks = contextMode === 'fork' && parent && child
      if (forks) await port.fork(parent, child).catch(() => undefined)
      return {
        async rollback() {
          spawned.delete(childSessionKey ?? '')
          if (forks) await store.remove(child)
        },
      }
    },
    async onSubagentEnded({ childSessionKey }) {
      const { parent, child } = spawned.get(childSessionKey) ?? {}
      if (!parent || !child) return
      const told = () =>
        port
          .receive(parent, child, childSessionKey)
          .catch((error: unknown) => failed(parent, error))
      // In the midst of a turn, it would stand before what the provider knows already.
      if (budgets.has(parent)) reports.set(childSessionKey, { parent, told })
      else await told()
    },
    // Sessions live as long as the process: other turns go on in them.
    async dispose() {},
  })

  return {
    port,
    engine,
    async own(id) {
      const session = await port.session(id)
      await session.sync()
      return {
        session,
        hosted: { store },
        directories: [],
        get asked() {
          return undefined
        },
        set asked(wanted: CompactionAsked | undefined) {
          if (wanted)
            session
              .append(askedNote(wanted, session.now()))
              .catch((error: unknown) => failed(id, error))
        },
      }
    },
  }
}

/**
 * The turn with what the host has said in its midst and takes back when the turn is over. Without it,
 * all that stands behind it in the next request would be new to the provider.
 */
function withContinued(
  messages: readonly EngineMessage[],
  said: Continued | undefined,
): readonly EngineMessage[] {
  const before = said ? messages.findIndex(({ key }) => key === said.after) : -1
  const isKept = messages.some(({ message }) => said && messageText(message).includes(said.text))
  if (!said || before === -1 || isKept) return messages
  const { text, at, after } = said
  const message = { role: 'user', content: text } as const
  return messages.toSpliced(before + 1, 0, { key: `${after}>`, at, origin: 'harness', message })
}

/** What a thread that was begun with the view does not know: a compaction, a pin, an undo. */
function epochOf(log: readonly Entry[]): string {
  const newest = log.findLast(
    (entry) => isRedaction(entry) || (entry.kind !== 'message' && entry.kind !== 'observation'),
  )
  return `${newest?.seq ?? 0}`
}

function projected(epoch: string) {
  return { contextProjection: { mode: 'thread_bootstrap', epoch } } as const
}

function done(summary = '', before: number, after: number): CompactAnswer {
  const sizes = { tokensBefore: before, tokensAfter: Math.floor(after) }
  return { ok: true, compacted: true, result: { summary, firstKeptEntryId: '', ...sizes } }
}

function isOwn(native: Fields, texts: ReadonlySet<string>): boolean {
  if (native['role'] !== 'user') return false
  const text = nativeText(native)
  return texts.has(text) || text.startsWith('<prior-conversation-summary>')
}
