import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readSession, streamSession } from '../../formats/reading/read-session.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { advanceFacts, emptyFacts, factsOf } from '../../facts/facts-of.ts'
import { readingOf } from '../../facts/summary/reading.ts'
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
  /** What code has read of it so far. */
  known?: { facts: Facts; directory: string | undefined }
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

/** A session file that is read while the client writes it: nothing is read twice. */
export interface GrowingSession {
  /** The session as far as its client has written it. */
  read: (directory: string | undefined) => Promise<ClientSession>
  /** The same, where the client writes nothing more of what was asked for. */
  end: (directory: string | undefined) => Promise<ClientSession>
}

/** Reads a session file again and again. It is begun anew where what was read is not there any more. */
export function growingSession(file: string, ledger: Ledger | undefined): GrowingSession {
  let read: Uint8Array = new Uint8Array()
  let open: OpenFile | undefined
  let known: ClientSession['known']

  async function readOn(isEnd: boolean, directory: string | undefined): Promise<ClientSession> {
    const bytes = await readFile(file)
    if (!open || !bytes.subarray(0, read.length).equals(read)) {
      read = new Uint8Array()
      open = openFile(ledger)
      known = undefined
    }
    const added = bytes.subarray(read.length)
    read = bytes
    await open.give(added, isEnd)
    const log = chronological(open.entries)
    const facts = open.facts()
    const place = facts.directory ?? directory
    if (known?.directory !== place) known = undefined
    if (!isEnd) {
      known ??= { facts: emptyFacts(), directory: place }
      advanceFacts(known.facts, log, inDirectory(place))
    }
    return { log: chronological([...log]), facts, ...(known && { known }) }
  }
  return {
    read: (directory) => readOn(false, directory),
    end: (directory) => readOn(true, directory),
  }
}

interface OpenFile {
  entries: Entry[]
  facts: () => SessionFacts
  /** Reads these bytes, and closes what is open where they are the last. */
  give: (bytes: Uint8Array, isEnd: boolean) => Promise<void>
}

function openFile(ledger: Ledger | undefined): OpenFile {
  const entries: Entry[] = []
  let facts = (): SessionFacts => ({})
  const given: Uint8Array[] = []
  let isEnd = false
  let more = (): void => {}
  let taken = (): void => {}
  async function* source(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = given.shift()
      if (bytes) yield bytes
      else if (isEnd) return
      else {
        taken()
        await new Promise<void>((resolve) => (more = resolve))
      }
    }
  }
  const reading = (async (): Promise<void> => {
    const session = await streamSession(source(), { ...(ledger && { ledger }) })
    facts = session.facts
    for await (const draft of session.drafts) entries.push({ ...draft, seq: entries.length + 1 })
  })()
  // It is told to whoever gives the next bytes.
  reading.catch(() => undefined)
  return {
    entries,
    facts: () => facts(),
    async give(bytes, last) {
      isEnd = last
      if (bytes.length > 0) given.push(bytes)
      const waiting = new Promise<void>((resolve) => (taken = resolve))
      more()
      await Promise.race([last ? reading : waiting, reading])
    },
  }
}

function inDirectory(directory: string | undefined): { directories: readonly string[] } {
  return { directories: directory === undefined ? [] : [directory] }
}

/** What code knows of a log, beyond what was read of its session before. */
export function factsIn(
  log: Chronological,
  directory: string | undefined,
  known: ClientSession['known'],
): Facts {
  const newest = log.at(-1)?.seq ?? 0
  if (!known || known.directory !== directory || known.facts.seq > newest) {
    return factsOf(log, inDirectory(directory))
  }
  return advanceFacts(known.facts, log, inDirectory(directory))
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
  { log, known }: ClientSession,
  directory: string | undefined,
  read?: Facts,
): (room: number) => string {
  if (!log.some(({ kind }) => kind === 'message')) return () => ''
  const facts = read ?? factsIn(log, directory, known)
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
