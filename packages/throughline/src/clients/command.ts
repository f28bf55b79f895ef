import { formatTokens } from '../tokens/windows.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession, type Session } from '../session/session.ts'
import { PinBudgetError } from '../compaction/errors.ts'
import { NothingToUndoError } from '../session/errors.ts'
import { recall } from '../session/recall/recall.ts'
import { recallQuestion } from '../session/recall/question.ts'
import { ThroughlineError } from '../log/throughline-error.ts'
import type { Passage } from '../session/recall/passage.ts'
import { callsIn, readClientRecords, type ClientRecord } from './record.ts'
import { compactedLine, counted, keptIn, sizesText } from './compacted-line.ts'
import type { ClientSession, Done } from './client-session.ts'
import type { Store } from '../session/store.ts'

export interface CommandPlace {
  client: string
  env: Readonly<Record<string, string | undefined>>
  /** Missing where no request has been made in this session yet. */
  session: CommandSession | undefined
  isOff: boolean
  /** Switches the plugin off or on, for all sessions of the client. */
  turn: (off: boolean) => void
}

/** A session, and what is done to it in the way of its client. */
export interface CommandSession {
  session: Session
  store: Store
  directories: readonly string[]
  /** How much of its room is taken, in a sentence. */
  size: string
  /** Asks for a compaction, and says when it comes. */
  compact: (focus: string) => string
  pin: (text: string) => Promise<void>
  unpin: (pin: { seq: number; text: string }) => Promise<void>
  /** Says what was undone. */
  undo: () => Promise<string>
}

/** What may be typed behind `/throughline`. Claude Code shows an angle bracket as an entity. */
export const commandUsage =
  'status, show, preview, compact FOCUS, recall WORDS, undo, pin TEXT, unpin TEXT, off, on'

/** What a session is, and where it notes that a compaction was asked for. */
export interface OwnSession extends Pick<ClientSession, 'session' | 'directories' | 'asked'> {
  hosted: Pick<ClientSession['hosted'], 'store'>
}

/** A session inside this process, which is compacted before its next request. */
export function ownSession(at: OwnSession): CommandSession {
  const { session, hosted, directories } = at
  return {
    session,
    store: hosted.store,
    directories,
    size: sizeText(session),
    compact(focus) {
      at.asked = focus === '' ? {} : { focus }
      return `The session is compacted before its next request${focus === '' ? '' : `, with the focus on: ${focus}`}.`
    },
    pin: async (text) => void (await session.pin(text)),
    unpin: ({ seq }) => session.unpin(seq),
    async undo() {
      const { kind } = await session.undo()
      return `Undone: the newest ${kind === 'prune' ? 'pruning' : 'summary'}. What was said since stays.`
    },
  }
}

/** Does what the user typed behind `/throughline`, and says in a few lines what was done. */
export async function runCommand(words: string, place: CommandPlace): Promise<string> {
  const [verb = '', rest = ''] = splitVerb(words)
  switch (verb) {
    case '':
    case 'status':
      return statusText(place)
    case 'show':
      return shown(place)
    case 'preview':
      return previewed(place)
    case 'compact':
      return place.session?.compact(rest) ?? unknown
    case 'recall':
      return recalled(place, rest)
    case 'undo':
      return undone(place)
    case 'pin':
      return pinned(place, rest)
    case 'unpin':
      return unpinned(place, rest)
    case 'off':
      place.turn(true)
      return 'Throughline is off: the client compacts by itself. Turn it on with: /throughline on'
    case 'on':
      place.turn(false)
      return 'Throughline is on.'
    default:
      return `/throughline takes one of: ${commandUsage}`
  }
}

/**
 * One line for the person in front of a client that was compacted.
 * @example
 * await doneLine(at, done) // 'Throughline: 111k → 18k tokens; 3 rules and 14 changed files kept. …'
 */
export async function doneLine(
  { session }: ClientSession,
  { report, reason }: Done,
): Promise<string> {
  return compactedLine({ ...report, reason, kept: keptIn(await session.facts()) })
}

/** What the newest compaction kept: its summary, and how much stands behind it word for word. */
function shown({ session }: CommandPlace): string {
  const context = session?.session.context()
  if (!context?.checkpoint) return 'Nothing has been compacted in this session yet.'
  const { summary, seq } = context.checkpoint
  const behind = context.items.filter((item) => item.type === 'message').length
  return [
    `The summary, made at entry ${seq}; ${counted(behind, 'message')} behind it stay word for word, and all of the rest can be read back with recall:`,
    '',
    summary,
  ].join('\n')
}

/** What a compaction would make of the session now, if code wrote its summary. */
async function previewed({ session: found }: CommandPlace): Promise<string> {
  if (!found) return unknown
  const { session, directories } = found
  const { id, window, policy, frame } = session
  const store = memoryStore()
  await store.append(id, await session.log())
  const copy = await openSession({ store, id, window, policy, directories, ...frame })
  const report = await copy.compact()
  await copy.close()
  if (report.action === 'none') return 'A compaction would gain nothing now.'
  const summary =
    copy.context().checkpoint?.summary ?? 'Outputs would be shortened, and nothing else.'
  return [
    `${sizesText(report)} tokens it would be, with a summary by code alone. A model may write it in other words:`,
    '',
    summary,
  ].join('\n')
}

async function recalled({ session: found }: CommandPlace, words: string): Promise<string> {
  if (words === '') return 'Say what to look for: /throughline recall WORDS'
  if (!found) return unknown
  const question = words.startsWith('[') ? { ref: words.replace(/^\[|\]$/g, '') } : { words }
  const { store, session } = found
  try {
    const asked = recallQuestion(question)
    const { passages, next } = await recall(store, session.id, asked, { tokens: mostRecalled })
    if (passages.length === 0) return 'Nothing of it was found. Try other words, or fewer.'
    const more = next
      ? ['There is more. To see one of them whole: /throughline recall [NUMBER]']
      : []
    return [...passages.map(passageText), ...more].join('\n\n')
  } catch (error) {
    if (!ThroughlineError.isInstance(error)) throw error
    return error.message
  }
}

// What a person reads on a screen, in tokens.
const mostRecalled = 1_200

const sayers = {
  human: 'you',
  model: 'the model',
  harness: 'the client',
  tool: 'a tool',
  synthetic: 'Throughline',
}

/** A passage for a person: a model gets it between tags. */
function passageText({ ref, who, what, tool = 'a tool', text }: Passage): string {
  const of = {
    text: sayers[who],
    reasoning: 'what the model thought',
    call: `what ${tool} was called with`,
    result: `what ${tool} gave`,
    medium: 'a picture or a file',
    other: 'something else',
  }[what]
  return `[${ref}] ${of}:\n${text.trim()}`
}

const unknown = 'Send a message first: the session is not known yet.'

async function unpinned({ session }: CommandPlace, text: string): Promise<string> {
  const pins = [...(session?.session.context().pins.values() ?? [])]
  const pin =
    pins.findLast((each) => each.text === text) ??
    pins.findLast((each) => text !== '' && each.text.includes(text))
  if (!session || !pin) return 'Nothing of these words is pinned.'
  await session.unpin(pin)
  return `No longer pinned: ${pin.text}`
}

function splitVerb(words: string): [string, string] {
  const text = words.trim()
  const end = text.search(/\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

function statusText({ client, env, session, isOff }: CommandPlace): string {
  const records = readClientRecords(client, env)
  const own = session && records.filter((record) => record.session === session.session.id)
  const compactions = (own ?? records).filter(({ event }) => event === 'compaction')
  const last = compactions.at(-1)
  const trouble = records.findLast(({ event }) => event === 'step-aside' || event === 'error')
  return [
    `Throughline is ${isOff ? 'off: the client compacts by itself' : 'on'}.`,
    ...(session ? [session.size] : []),
    last
      ? `${counted(compactions.length, 'compaction')}${own ? ' in this session' : ''}; the last: ${compactionText(last)}`
      : 'No compaction yet.',
    ...callLines(own ?? records),
    ...(trouble
      ? [
          `${trouble.event === 'error' ? 'Last error' : 'Stepped aside'}: ${trouble.reason ?? 'unknown'}`,
        ]
      : []),
  ].join('\n')
}

function sizeText(session: Session): string {
  const { tokens } = session.measure()
  const { threshold } = session.budget()
  const left = Math.max(0, Math.round((1 - tokens / threshold) * 100))
  return `The next request has about ${formatTokens(tokens)} tokens: ${left}% left until the next compaction.`
}

/** What the summaries have cost: the user pays for each request. */
function callLines(records: readonly ClientRecord[]): string[] {
  const calls = callsIn(records)
  const used = calls.filter((became) => became === 'used').length
  return calls.length === 0
    ? []
    : [`${counted(calls.length, 'request')} to the model for a summary, ${used} of them used.`]
}

const authors = {
  'client-model': "the client's model",
  local: 'code alone',
  client: 'the client',
}

/** One compaction in one line. */
function compactionText({ before = 0, after = 0, by, ms = 0 }: ClientRecord): string {
  const summary = by ? `, the summary by ${authors[by]}` : ''
  return `${formatTokens(before)} → ${formatTokens(after)} tokens${summary}, in ${(ms / 1000).toFixed(1)} seconds.`
}

async function undone({ session }: CommandPlace): Promise<string> {
  if (!session) return 'Nothing has been compacted here since the client was started.'
  try {
    return await session.undo()
  } catch (error) {
    if (!NothingToUndoError.isInstance(error)) throw error
    return 'There is no compaction to undo.'
  }
}

async function pinned({ session }: CommandPlace, text: string): Promise<string> {
  if (text === '') return 'Say what to pin: /throughline pin TEXT'
  if (!session) return unknown
  try {
    await session.pin(text)
    return 'Pinned: it stays word for word through every compaction.'
  } catch (error) {
    if (!PinBudgetError.isInstance(error)) throw error
    return error.message
  }
}
