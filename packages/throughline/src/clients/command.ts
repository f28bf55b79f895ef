import { formatTokens } from '../tokens/windows.ts'
import { PinBudgetError } from '../compaction/errors.ts'
import { NothingToUndoError } from '../session/errors.ts'
import { callsIn, readClientRecords, type ClientRecord } from './record.ts'
import type { ClientSession, Done } from './client-session.ts'

/** What a command in a client works on. */
export interface CommandPlace {
  client: string
  env: Readonly<Record<string, string | undefined>>
  /** Missing where no request has been made in this session yet. */
  session: ClientSession | undefined
  isOff: boolean
  /** Switches the plugin off or on, for all sessions of the client. */
  turn: (off: boolean) => void
}

/** What may be typed behind `/throughline`. */
export const commandUsage = 'status, show, compact <focus>, undo, pin <text>, unpin <text>, off, on'

/** Does what the user typed behind `/throughline`, and says in a few lines what was done. */
export async function runCommand(words: string, place: CommandPlace): Promise<string> {
  const [verb = '', rest = ''] = splitVerb(words)
  switch (verb) {
    case '':
    case 'status':
      return statusText(place)
    case 'show':
      return shown(place)
    case 'compact':
      return asked(place, rest)
    case 'undo':
      return undone(place)
    case 'pin':
      return pinned(place, rest)
    case 'unpin':
      return unpinned(place, rest)
    case 'off':
      place.turn(true)
      return `Throughline is off: ${place.client} compacts by itself. Turn it on with: throughline on`
    case 'on':
      place.turn(false)
      return 'Throughline is on.'
    default:
      return `Throughline: ${commandUsage}`
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
  const { rules, files } = await session.facts()
  const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined).length
  const changed = [...files.values()].filter(({ state }) => state !== 'read').length
  const kept = [counted(inForce, 'rule'), counted(changed, 'changed file')].join(' and ')
  const why = reason === undefined ? '' : ` Code wrote the summary (${reason}).`
  return `Throughline: ${formatTokens(report.before)} → ${formatTokens(report.after)} tokens; ${kept} kept.${why} /throughline show says what.`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
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

function asked({ session }: CommandPlace, focus: string): string {
  if (!session) return 'Send a message first: the session is not known yet.'
  session.asked = focus === '' ? {} : { focus }
  return `The session is compacted before its next request${focus === '' ? '' : `, with the focus on: ${focus}`}.`
}

async function unpinned({ session }: CommandPlace, text: string): Promise<string> {
  const pins = [...(session?.session.context().pins.values() ?? [])]
  const pin =
    pins.findLast((each) => each.text === text) ??
    pins.findLast((each) => text !== '' && each.text.includes(text))
  if (!session || !pin) return 'Nothing of these words is pinned.'
  await session.session.unpin(pin.seq)
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
    `Throughline is ${isOff ? 'off' : 'on'} in ${client}.`,
    ...(session ? [sizeText(session)] : []),
    last
      ? `${compactions.length} compactions${own ? ' in this session' : ''}; the last: ${compactionText(last)}`
      : 'No compaction yet.',
    ...callLines(own ?? records),
    ...(trouble
      ? [
          `${trouble.event === 'error' ? 'Last error' : 'Stepped aside'}: ${trouble.reason ?? 'unknown'}`,
        ]
      : []),
  ].join('\n')
}

function sizeText({ session }: ClientSession): string {
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
    : [`Requests to the model for summaries: ${calls.length}, of which ${used} used.`]
}

const authors = {
  'client-model': "the client's model",
  local: 'code alone',
  client: 'the client',
  agent: 'the agent, of a sub-task',
}

/** One compaction in one line. */
function compactionText({ before = 0, after = 0, by, ms = 0 }: ClientRecord): string {
  const summary = by ? `, the summary by ${authors[by]}` : ''
  return `${formatTokens(before)} → ${formatTokens(after)} tokens${summary}, ${ms} ms.`
}

async function undone({ session }: CommandPlace): Promise<string> {
  if (!session) return 'Nothing has been compacted here since the client was started.'
  try {
    const { kind } = await session.session.undo()
    return `Undone: the newest ${kind === 'prune' ? 'pruning' : 'summary'}. What was said since stays.`
  } catch (error) {
    if (!NothingToUndoError.isInstance(error)) throw error
    return 'There is no compaction to undo.'
  }
}

async function pinned({ session }: CommandPlace, text: string): Promise<string> {
  if (text === '') return 'Say what to pin: throughline pin <text>'
  if (!session) return 'Send a message first: the session is not known yet.'
  try {
    await session.session.pin(text)
    return 'Pinned: it stays word for word through every compaction.'
  } catch (error) {
    if (!PinBudgetError.isInstance(error)) throw error
    return error.message
  }
}
