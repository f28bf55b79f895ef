import { readFileSync } from 'node:fs'
import { gonePrograms, startedPaths } from './doctor/paths.ts'
import { jsonOption } from '../shared-options.ts'
import {
  callsIn,
  readClientRecords,
  type CallOutcome,
  type ClientRecord,
  type SummaryAuthor,
} from '../../clients/record.ts'
import { clientSettings } from '../../clients/settings.ts'
import { installableClients } from '../installed/clients.ts'
import { problemsOf } from '../installed/install-client.ts'
import { readLedger, type Installed, type Ledger } from '../installed/ledger.ts'
import { placeOf, type Place } from '../installed/place.ts'
import { loadedBy, rivalsIn } from '../installed/rivals.ts'
import { printAnswer } from '../output/print-answer.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { counted, withThousands, whenText } from '../terminal/numbers.ts'
import { wrap } from '../terminal/columns.ts'
import type { Cold } from '../../compaction/cold-cache.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { InstallableClient } from '../installed/client.ts'
import type { Io } from '../io.ts'

export const statusCommand: Command = {
  name: 'status',
  description: [
    'Shows in which clients Throughline is installed, its version, and what it did there: sessions, compactions, their tokens before and after, how long the client waited, and who wrote the summaries: the client’s own model, code (local), or the client itself. If Throughline stepped aside in a client, the command says why.',
  ],
  arguments: [],
  options: { ...jsonOption },
  examples: {
    'throughline status': 'See where it is installed and what it did last.',
  },
  run: runStatus,
}

async function runStatus({ flags }: ParsedArguments, io: Io): Promise<number> {
  const place = placeOf(io.env)
  const ledger = readLedger(place)
  const all = installableClients.map((client) => statusOf(client, ledger, place))
  const answer = {
    json: () => ({ version: 1, clients: all }),
    lines: ({ width }: { width: number }) => statusLines(all, { now: Date.now(), width }),
  }
  return printAnswer(answer, { flags }, io)
}

function statusOf(
  { name, label, word, first, repeats = false }: InstallableClient,
  ledger: Ledger,
  place: Place,
): ClientStatus {
  const installed = ledger.clients[name]
  const { files, folders } = loadedBy(name, place)
  const { off, local } = clientSettings(name, place.env)
  return {
    client: name,
    label,
    word,
    first: first ?? `Restart ${label} where it runs.`,
    installed: installed ? { version: installed.version, at: installed.at } : null,
    off,
    summary: local ? 'local' : 'client-model',
    problems: installed ? [...problemsOf(installed, place), ...goneIn(installed)] : [],
    beside: rivalsIn(files, folders).map((rival) => rival.name),
    did: didOf(readClientRecords(name, place.env)),
    repeats,
  }
}

function goneIn(installed: Installed): string[] {
  try {
    return gonePrograms(startedPaths(installed, (file) => readFileSync(file, 'utf8')))
  } catch {
    // A file that cannot be read is reported already.
    return []
  }
}

export function statusLines(
  all: readonly ClientStatus[],
  { now, width }: { now: number; width: number },
): string[] {
  const installed = all.filter((each) => each.installed)
  const others = all.filter((each) => !each.installed)
  return [
    ...installed.flatMap((each) => [...clientLines(each, now, width), '']),
    ...(others.length === 0
      ? []
      : wrap(`Not installed in: ${others.map(({ word }) => word).join(', ')}.`, width)),
    ...(installed.length === 0 ? ['To install it: throughline install <client>'] : []),
  ]
}

function clientLines(status: ClientStatus, now: number, width: number): string[] {
  const { label, installed, off, summary, problems, beside, did, word, first } = status
  const model = summary === 'local' ? ', summaries by code alone' : ''
  const again = problems.length > 0 ? [`To repair it: throughline install ${word}`] : []
  const sentences = [
    ...(off ? ['It is switched off: the client compacts by itself.'] : []),
    ...didSentences(did, first, now),
    ...(status.repeats && wereRefused(did.calls)
      ? [`${label} itself repeats a request that was refused, and does not say how often.`]
      : []),
    ...problems.map((problem) => `${problem}.`),
    ...again,
    ...beside.map((name) => `${name} is loaded there too: two of them undo each other’s work.`),
  ]
  return [
    `${label}: version ${installed?.version ?? ''}${model}`,
    ...sentences.flatMap((line) => wrap(line, width - 2).map((each) => `  ${each}`)),
  ]
}

function didSentences(
  { last, lastCompaction, compactions, early, sessions, by, calls, tokens, aside }: Did,
  first: string,
  now: number,
): string[] {
  if (!last) return [`It has not run there yet. ${first}`]
  const times = counted(compactions, 'compaction')
  const ahead = early > 0 ? ` (${withThousands(early)} early)` : ''
  const total = `${counted(sessions, 'session')}, ${times}${ahead}`
  const sizes =
    // A hook that follows a client's own compaction does not know its sizes.
    tokens.before > 0
      ? `: ${withThousands(tokens.before)} tokens became ${withThousands(tokens.after)}`
      : ''
  return [
    `${total}${sizes}${byText(by)}.`,
    ...callSentences(calls),
    ...(lastCompaction ? [`Last compaction ${compactionText(lastCompaction, now)}.`] : []),
    ...(last.reason !== undefined && last.event === 'start'
      ? [`At work: ${sanitizeLine(last.reason)}.`]
      : []),
    ...(aside ? [asideText(aside, now)] : []),
  ]
}

const authors: Readonly<Record<SummaryAuthor, string>> = {
  'client-model': 'the client’s model',
  local: 'code',
  client: 'the client itself',
}

function byText(by: Did['by']): string {
  const known = Object.entries(by) as [SummaryAuthor, number][]
  if (known.length === 0) return ''
  return `; summaries by ${known.map(([author, count]) => `${authors[author]} (${count})`).join(', ')}`
}

const outcomes: Readonly<Record<CallOutcome | 'unknown', string>> = {
  used: 'used',
  rejected: 'not good enough',
  late: 'too late',
  failed: 'without an answer',
  unneeded: 'not needed',
  unknown: 'not known to have ended',
}

function callSentences(calls: Did['calls']): string[] {
  const known = Object.entries(calls) as [CallOutcome | 'unknown', number][]
  if (known.length === 0) return []
  const all = sum(known.map(([, count]) => count))
  const each = known.map(([outcome, count]) => `${withThousands(count)} ${outcomes[outcome]}`)
  return [`${counted(all, 'request')} to its model for a summary: ${each.join(', ')}.`]
}

/** Some may have been refused, and made again by the client. */
function wereRefused({ failed = 0, late = 0, unknown = 0 }: Did['calls']): boolean {
  return failed + late + unknown > 0
}

const causes: Readonly<Record<Cold, string>> = {
  gap: 'after a pause',
  resume: 'after a resume',
  'other-model': 'for another model',
}

function compactionText(record: ClientRecord, now: number): string {
  const { at, before, after, ms, by, early, reason } = record
  const ahead = early ? `, early since the cache was cold ${causes[early]}` : ''
  const sizes =
    before === undefined || after === undefined
      ? ''
      : `: ${withThousands(before)} → ${withThousands(after)} tokens`
  const time = ms === undefined ? '' : `, the client waited ${withThousands(ms)} ms`
  const why = by === 'local' && reason !== undefined ? ` (${sanitizeLine(reason)})` : ''
  const how = by ? `summary by ${authors[by]}${why}` : 'old outputs made shorter, no summary'
  return `${whenText(at, now)}${ahead}${sizes}${time}, ${how}`
}

function asideText(
  { at, event, reason = 'no reason was given' }: ClientRecord,
  now: number,
): string {
  const what = event === 'error' ? 'It failed' : 'It stepped aside'
  return `${what} ${whenText(at, now)}, and the client compacts by itself: ${sanitizeLine(reason)}`
}

interface ClientStatus {
  client: string
  label: string
  word: string
  /** What is to be done where it has not run yet. */
  first: string
  installed: { version: string; at: number } | null
  /** The client compacts by itself, because the user said so. */
  off: boolean
  summary: 'client-model' | 'local'
  problems: readonly string[]
  /** Programs of the same kind that the client loads. */
  beside: readonly string[]
  did: Did
  /** The client repeats refused requests and does not say how often. */
  repeats: boolean
}

/** What a client’s plugin did, according to its newest records. */
interface Did {
  sessions: number
  compactions: number
  /** Those that were done before they were due, while the provider’s cache was cold anyway. */
  early: number
  /** Compactions by who wrote the summary. */
  by: Partial<Record<SummaryAuthor, number>>
  /** Our requests for summaries to the client’s model, by what became of them. */
  calls: Partial<Record<CallOutcome | 'unknown', number>>
  tokens: { before: number; after: number }
  last: ClientRecord | null
  lastCompaction: ClientRecord | null
  /** The newest reason for stepping aside or failing, if nothing has worked or begun since. */
  aside: ClientRecord | null
}

export function didOf(records: readonly ClientRecord[]): Did {
  const compactions = records.filter(({ event }) => event === 'compaction')
  const aside = records.findLast(({ event }) => event === 'step-aside' || event === 'error') ?? null
  const works = records.findLast(({ event }) => event === 'compaction' || event === 'start')
  const worksAgain = aside && works && records.indexOf(works) > records.indexOf(aside)
  return {
    sessions: new Set(records.flatMap(({ session }) => session ?? [])).size,
    compactions: compactions.length,
    early: compactions.filter((record) => record.early !== undefined).length,
    by: countsOf(compactions.flatMap(({ by }) => by ?? [])),
    calls: countsOf(callsIn(records)),
    tokens: {
      before: sum(compactions.map(({ before = 0 }) => before)),
      after: sum(compactions.map(({ after = 0 }) => after)),
    },
    last: records.findLast(({ event }) => event !== 'call') ?? null,
    lastCompaction: compactions.at(-1) ?? null,
    aside: worksAgain ? null : aside,
  }
}

function countsOf<Word extends string>(words: Iterable<Word>): Partial<Record<Word, number>> {
  const counts: Partial<Record<Word, number>> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
