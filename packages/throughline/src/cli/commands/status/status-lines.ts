import { sanitizeLine } from '../../../log/sanitize.ts'
import { counted, withThousands } from '../../terminal/numbers.ts'
import { whenText } from '../../terminal/when.ts'
import { wrap } from '../../terminal/columns.ts'
import type { ClientStatus, Did } from './did.ts'
import type { ClientRecord, SummaryAuthor } from '../../../clients/record.ts'

/** The status of all clients for a reader. */
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
  const { label, installed, off, summary, problems, beside, did, word } = status
  const model = summary === 'local' ? ', summaries by code alone' : ''
  const again = problems.length > 0 ? [`To repair it: throughline install ${word}`] : []
  const sentences = [
    ...(off ? ['It is switched off: the client compacts by itself.'] : []),
    ...didSentences(did, now),
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
  { last, lastCompaction, compactions, sessions, by, tokens, aside }: Did,
  now: number,
): string[] {
  if (!last) return [`It has not been started there since. Restart the client where it runs.`]
  const times = counted(compactions, 'compaction')
  const total = `${counted(sessions, 'session')}, ${times}`
  const sizes =
    compactions > 0
      ? `: ${withThousands(tokens.before)} tokens became ${withThousands(tokens.after)}`
      : ''
  return [
    `${total}${sizes}${byText(by)}.`,
    ...(lastCompaction ? [`Last compaction ${compactionText(lastCompaction, now)}.`] : []),
    ...(last.reason !== undefined && last.event === 'start'
      ? [`At work: ${shown(last.reason)}.`]
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

function compactionText({ at, before, after, ms, by }: ClientRecord, now: number): string {
  const sizes =
    before === undefined || after === undefined
      ? ''
      : `: ${withThousands(before)} → ${withThousands(after)} tokens`
  const time = ms === undefined ? '' : `, the client waited ${withThousands(ms)} ms`
  return `${whenText(at, now)}${sizes}${time}${by ? `, summary by ${authors[by]}` : ''}`
}

function asideText(
  { at, event, reason = 'no reason was given' }: ClientRecord,
  now: number,
): string {
  const what = event === 'error' ? 'It failed' : 'It stepped aside'
  return `${what} ${whenText(at, now)}, and the client compacts by itself: ${shown(reason)}`
}

function shown(text: string): string {
  return sanitizeLine(text)
}
