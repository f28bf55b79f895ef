import { contextEngine, type ContextEngine } from '../../hosts/context-engine/context-engine.ts'
import { countOf, fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { formsOf, nativeText, readMessages, withSameIds } from './messages.ts'
import { headSummarizer } from '../../integrations/conversation/head-summarizer.ts'
import type { CompactAnswer, CompactCall, OpenClawCall, OpenClawEngine } from './api.ts'
import type { Store } from '../../session/store.ts'

export const engineId = 'throughline'
export const recallName = 'throughline_recall'

export interface SlotOptions {
  store: Store
  /** Summaries by code alone. */
  local: boolean
  /** What went wrong without stopping the host. */
  failed: (session: string, error: unknown) => void
  compacted: (session: string, sizes: { before: number; after: number }) => void
}

export interface Slot {
  port: ContextEngine
  engine: OpenClawEngine
  /** The agent asked for a compaction: it comes when the turn is over. */
  ask: (session: string, focus: string | undefined) => void
}

// Milliseconds that a compaction waits for the host's model.
const patience = 60_000

/** The port as OpenClaw calls it: a durable turn has no other calls than these. */
export function slotOf({ store, local, failed, compacted }: SlotOptions): Slot {
  let llm: NonNullable<OpenClawCall['runtimeContext']>['llm']
  const own = new Map<string, Set<string>>()
  const asked = new Map<string, string | undefined>()
  const port = contextEngine({
    store,
    policy: { ...defaultPolicy, recallTool: recallName, continuation: () => null },
    ...(!local && { summarizer: headSummarizer('openclaw', ask, {}) }),
  })

  async function ask(question: { system: string; prompt: string; maxTokens: number }) {
    if (!llm) throw new Error('the host gives no model for this call')
    const { system, prompt, maxTokens } = question
    const messages = [{ role: 'user', content: prompt }]
    const signal = AbortSignal.timeout(patience)
    const purpose = 'throughline summary'
    const answer = fieldsOf(
      await llm.complete({ systemPrompt: system, messages, maxTokens, purpose, signal }),
    )
    const usage = fieldsOf(answer?.['usage'])
    const inputTokens = countOf(usage?.['inputTokens']) ?? 0
    const outputTokens = countOf(usage?.['outputTokens']) ?? 0
    return {
      text: textOf(answer?.['text']) ?? '',
      finish: answer?.['stopReason'] === 'length' ? ('length' as const) : ('stop' as const),
      ...(inputTokens > 0 && { usage: { inputTokens, outputTokens } }),
    }
  }

  function hear({ runtimeContext }: OpenClawCall): void {
    llm = runtimeContext?.llm ?? llm
  }

  function ownOf(session: string): Set<string> {
    const texts = own.get(session) ?? new Set()
    own.set(session, texts)
    return texts
  }

  async function compact(call: CompactCall): Promise<CompactAnswer> {
    const { sessionId, currentTokenCount = 0, customInstructions: focus, force } = call
    const done = await port.compact(sessionId, {
      trigger: 'manual',
      ...(focus && { focus }),
      budget: askedBudget(call),
      ...(call.abortSignal && { signal: call.abortSignal }),
    })
    if (done.compacted) compacted(sessionId, done)
    // The host has said more than was told: the next request is compacted with it.
    const isDue = !done.compacted && (force === true || currentTokenCount > done.before)
    if (!done.compacted && !isDue) {
      return { ok: true, compacted: false, reason: done.reason ?? 'nothing to compact' }
    }
    const { before, after, summary = '' } = done
    const sizes = { tokensBefore: Math.max(before, currentTokenCount), tokensAfter: after }
    return { ok: true, compacted: true, result: { summary, firstKeptEntryId: '', ...sizes } }
  }

  const engine: OpenClawEngine = {
    info: {
      id: engineId,
      name: 'Throughline',
      ownsCompaction: true,
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    },
    async bootstrap(call) {
      hear(call)
      return { bootstrapped: true }
    },
    async ingest(call) {
      hear(call)
      const { messages } = readMessages([call.message])
      return { ingested: (await port.ingest(call.sessionId, messages)) > 0 }
    },
    async assemble(call) {
      hear(call)
      const { sessionId, messages, tokenBudget = call.runtimeContext?.tokenBudget } = call
      try {
        const texts = ownOf(sessionId)
        const theirs = messages.filter((each) => !isOwn(each, texts))
        const read = readMessages(theirs)
        const made = await port.assemble(sessionId, {
          messages: read.messages,
          budget: tokenBudget,
        })
        if (made.problem !== undefined) failed(sessionId, made.problem)
        const view = withSameIds(made.view(formsOf(read.natives, (text) => texts.add(text))))
        return { messages: view, estimatedTokens: made.tokens }
      } catch (error) {
        failed(sessionId, error)
        return { messages: [...messages], estimatedTokens: 0 }
      }
    },
    async commitTurn(call) {
      hear(call)
      const { sessionId, advancementKey: key } = call
      const { messages } = readMessages(
        call.messages.filter((each) => !isOwn(each, ownOf(sessionId))),
        call.isHeartbeat !== true,
      )
      const status = await port.commit(sessionId, { key, messages })
      if (asked.has(sessionId)) {
        const focus = asked.get(sessionId)
        asked.delete(sessionId)
        await port.compact(sessionId, focus === undefined ? {} : { focus })
      }
      return { status }
    },
    async maintain(call) {
      hear(call)
      return { changed: false, bytesFreed: 0, rewrittenEntries: 0 }
    },
    async compact(call) {
      hear(call)
      try {
        return await compact(call)
      } catch (error) {
        failed(call.sessionId, error)
        const reason = error instanceof Error ? error.message : String(error)
        return { ok: true, compacted: false, reason }
      }
    },
    async prepareSubagentSpawn({ contextMode, parentSessionId, childSessionId }) {
      const forks = contextMode === 'fork' && parentSessionId && childSessionId
      if (forks) await port.fork(parentSessionId, childSessionId).catch(() => undefined)
      return {
        async rollback() {
          if (forks) await store.remove(childSessionId)
        },
      }
    },
    dispose: () => port.dispose(),
  }
  return { port, engine, ask: (session, focus) => void asked.set(session, focus) }
}

/**
 * The host asks when its request is too long, often far below the budget that it names: what is left
 * has to be well below what it has now, or it asks again after a step or two.
 */
function askedBudget({ tokenBudget, currentTokenCount }: CompactCall): number | undefined {
  const sizes = [tokenBudget, currentTokenCount].flatMap((size) => (size ? [size] : []))
  return sizes.length === 0 ? undefined : Math.min(...sizes) / 2
}

function isOwn(native: Fields, texts: ReadonlySet<string>): boolean {
  if (native['role'] !== 'user') return false
  const text = nativeText(native)
  return texts.has(text) || text.startsWith('<prior-conversation-summary>')
}
