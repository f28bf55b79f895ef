import { createReadStream } from 'node:fs'
import { readSession } from '../../formats/reading/read-session.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { readingOf } from '../../compaction/summary/local/reading.ts'
import { summarizeLocally } from '../../compaction/summary/local/summarize-locally.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { agentsPin } from '../../session/agent/pin-tool.ts'
import type { Entry, EntryOf } from '../../log/entry.ts'
import type { Asked } from '../asked.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { SessionFacts } from '../../formats/format.ts'

/** A session of a client, as its own record file tells it. */
export interface ClientSession {
  log: Chronological
  facts: SessionFacts
}

/** @throws if the file cannot be read, or holds no session. */
export async function clientSession(
  file: string,
  ledger: Ledger | undefined,
): Promise<ClientSession> {
  const source = createReadStream(file) as AsyncIterable<Uint8Array>
  const { log, facts } = await readSession(source, { ...(ledger && { ledger }) })
  return { log, facts }
}

/** What a text of facts knows of its reader. */
export interface FactsFrame {
  directory: string | undefined
  recallTool: string
  asked?: Asked
  /** What was read of the log before. */
  known?: Facts
}

/**
 * What code knows of a log, in the words of a summary of so many tokens; `''` where there is nothing
 * to tell. The log is read once, however many are asked for.
 */
export function factsTexts(
  log: Chronological,
  directory: string | undefined,
  known?: Facts,
): (room: number) => string {
  if (!log.some(({ kind }) => kind === 'message')) return () => ''
  const directories = directory === undefined ? [] : [directory]
  const facts = known ?? factsOf(log, { directories })
  const reading = readingOf(facts, undefined)
  // Nothing stands beside it: whoever reads it sees nothing else of the session.
  return (room) => summarizeLocally({ facts, reading, budget: room, count: estimateTokens })
}

/** What is to be kept word for word, a line each; `''` if nothing. */
export function pinsText(asked: Asked | undefined): string {
  const { pins = [], keep } = asked ?? {}
  const noted = pins.filter((pin) => pin.startsWith(agentsPin))
  const own = pins.filter((pin) => !pin.startsWith(agentsPin))
  const agents = noted.map((pin) => pin.slice(agentsPin.length))
  return [
    listed('Pinned by the human, to keep word for word:', own),
    listed(
      'Noted by the agent, to keep word for word:',
      keep === undefined ? agents : [...agents, keep],
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n')
}

/** What the agent learned in the sub-tasks that it has closed; `''` if there are none. */
export function learnedText(asked: Asked | undefined): string {
  const { learned = [] } = asked ?? {}
  if (learned.length === 0) return ''
  const lines = learned.map(({ task, learned: text }) => `- ${task}\n${text}`)
  return `Learned in sub-tasks whose steps need not be kept:\n${lines.join('\n')}`
}

/** A compaction of a client, and whether its model has said something since. */
export interface OwnCompaction {
  /** Which of the session it is, counted from 1. */
  number: number
  /** Milliseconds since 1970. */
  at: number
  before: Chronological
  summary: string
  /** What the client has left of the session, with its summary. */
  left: Chronological
  isFresh: boolean
}

/** The newest compaction of a client. */
export function newestCompaction(log: Chronological): OwnCompaction | undefined {
  const index = log.findLastIndex(isCheckpoint)
  const checkpoint = log[index]
  if (!checkpoint || !isCheckpoint(checkpoint)) return undefined
  const isFresh = !log.slice(index + 1).some(isAnswer)
  const number = log.filter(isCheckpoint).length
  const before = chronological(log.slice(0, index))
  const left = chronological(log.slice(0, index + 1))
  return { number, at: checkpoint.at, before, left, summary: checkpoint.summary, isFresh }
}

function isCheckpoint(entry: Entry): entry is EntryOf<'checkpoint'> {
  return entry.kind === 'checkpoint'
}

function isAnswer(entry: Entry): boolean {
  return entry.kind === 'message' && entry.message.role === 'assistant'
}
