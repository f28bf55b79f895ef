import { createHash } from 'node:crypto'
import { heldOf, neededAfter, tokensOf, visibleTextOfMessages } from 'throughline/evaluation'
import { type Entry, type EntryOf, type Message } from 'throughline'
import { costMeter, type PromptPiece } from 'throughline/engine'
import type { MeasuredSession } from 'throughline/evaluation'
import type { Asked } from '../peers/stand-in.ts'

/**
 * A context that lives through a session: it grows with every message, and its policy makes it fit.
 */
interface LiveContext {
  append: (entry: EntryOf<'message'>) => Promise<void>
  /**
   * Compacts if necessary; the gate before every request. Returns what a model was asked for it.
   */
  fit: () => Promise<{ compacted: boolean; asked: readonly Asked[] }>
  messages: () => readonly Message[]
}

/** A way to keep a session within its window. */
export interface LivePolicy {
  name: string
  open: (session: MeasuredSession, window: number) => Promise<LiveContext>
}

/** A session replayed under one policy. */
export interface Life {
  session: string
  policy: string
  /** Tokens (bytes/4) of every request, in order. */
  requests: number[]
  /** Tokens of every request to a summarizer. */
  summaryTokens: number
  compactions: number
  /** Dollars for the requests and for the summaries. */
  dollars: number
  summaryDollars: number
  /** What was needed after its compactions, and how much of that was in the context. */
  needed: number
  held: number
  /** The request that did not fit the window; the session ends there. */
  stoppedAt?: number
  problem?: string
}

/** Dollars per million tokens: the ratios matter, and most models have these. */
const prices = { input: 3, output: 15 }

/** What the context says where a session ends, after it was lived through under one policy. */
export async function saidAtTheEnd(
  session: MeasuredSession,
  policy: LivePolicy,
  window: number,
): Promise<string> {
  const context = await policy.open(session, window)
  let before: Entry | undefined
  for (const entry of session.log) {
    if (entry.kind !== 'message') continue
    if (startsRequest(entry, before)) await context.fit()
    await context.append(entry)
    before = entry
  }
  await context.fit()
  return visibleTextOfMessages(context.messages())
}

/** Replays a session, request by request, as it was recorded. */
export async function live(
  session: MeasuredSession,
  policy: LivePolicy,
  { window, generic }: { window: number; generic: ReadonlySet<string> },
): Promise<Life> {
  const life = newLife(session.name, policy.name)
  const meter = costMeter(prices)
  try {
    const context = await policy.open(session, window)
    let before: Entry | undefined
    for (const [index, entry] of session.log.entries()) {
      if (entry.kind !== 'message') continue
      if (startsRequest(entry, before)) {
        const { compacted, asked } = await context.fit()
        const messages = context.messages()
        if (compacted) countNeeded(life, session, { index, messages, generic })
        for (const { inputTokens, outputTokens } of asked) {
          life.summaryTokens += inputTokens + outputTokens
          life.summaryDollars += dollarsOf(inputTokens, outputTokens)
        }
        const prompt = messages.map(pieceOf)
        const tokens = prompt.reduce((sum, piece) => sum + piece.tokens, 0)
        if (tokens > window) return { ...life, stoppedAt: life.requests.length + 1 }
        life.requests.push(tokens)
        const output = tokensOf(visibleTextOfMessages([entry.message]))
        life.dollars += meter.add({ at: entry.at, prompt, output }).dollars
      }
      await context.append(entry)
      before = entry
    }
    return life
  } catch (error) {
    return { ...life, problem: error instanceof Error ? error.message : String(error) }
  }
}

function newLife(session: string, policy: string): Life {
  return {
    session,
    policy,
    requests: [],
    summaryTokens: 0,
    compactions: 0,
    dollars: 0,
    summaryDollars: 0,
    needed: 0,
    held: 0,
  }
}

/** A harness writes one answer as several messages, which came from one request. */
function startsRequest({ message }: EntryOf<'message'>, before: Entry | undefined): boolean {
  if (message.role !== 'assistant') return false
  return before?.kind !== 'message' || before.message.role !== 'assistant'
}

function countNeeded(
  life: Life,
  session: MeasuredSession,
  at: { index: number; messages: readonly Message[]; generic: ReadonlySet<string> },
): void {
  life.compactions += 1
  const needed = neededAfter(session, { size: 0, length: at.index }, at.generic)
  const kept = visibleTextOfMessages(at.messages)
  life.needed += needed.size
  life.held += heldOf(needed, kept, session.directories)
}

function dollarsOf(input: number, output: number): number {
  return (input * prices.input + output * prices.output) / 1_000_000
}

const pieces = new WeakMap<Message, PromptPiece>()

function pieceOf(message: Message): PromptPiece {
  const before = pieces.get(message)
  if (before) return before
  const text = JSON.stringify(message)
  const key = createHash('sha1').update(text).digest('base64')
  const piece = { key, tokens: tokensOf(visibleTextOfMessages([message])) }
  pieces.set(message, piece)
  return piece
}
