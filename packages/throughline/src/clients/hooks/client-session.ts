import { createReadStream } from 'node:fs'
import { readSession } from '../../formats/reading/read-session.ts'
import { defaultPolicy, type Policy } from '../../compaction/policy.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { agentsPin } from '../../session/agent/pin-tool.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import type { Entry, EntryOf } from '../../log/entry.ts'
import type { Asked } from '../asked.ts'
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

/** What a text of facts may take, and what it knows of its reader. */
export interface FactsFrame {
  /** In tokens. */
  room: number
  directory: string | undefined
  recallTool: string
  /** What its agent has asked for. */
  asked?: Asked
}

/** What code knows of a log, in the words of a summary; `''` where there is nothing to tell. */
export async function factsText(log: Chronological, frame: FactsFrame): Promise<string> {
  const { room, directory, recallTool } = frame
  const policy: Policy = { ...defaultPolicy, recallTool, keep: () => room, tail: () => 0 }
  const { log: grown } = await compactLog(log, {
    window: { context: anyWindow },
    trigger: 'manual',
    policy,
    ...(directory !== undefined && { directories: [directory] }),
  })
  const made = grown.slice(log.length).find(isCheckpoint)
  return made?.summary ?? ''
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

// No hook is told the window, and what is made here takes the same room in any.
const anyWindow = 200_000

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
