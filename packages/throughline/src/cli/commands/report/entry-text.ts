import { countOf } from '../../../json/fields.ts'
import { messageText, partsOf, type Part } from '../../../log/message.ts'
import { parseRef } from '../../../log/ref.ts'
import { inputText } from '../../transcript/passages.ts'
import { counted, smallDollarText, withThousands } from '../../terminal/numbers.ts'
import { seqRanges } from '../../store/seqs.ts'
import type { Entry, EntryOf, Observation } from '../../../log/entry.ts'

// A line shows less than this; no more of a long text is examined.
const longest = 400

export function entryName(entry: Entry): string {
  if (entry.kind === 'observation') return 'note'
  if (entry.kind !== 'message') return entry.kind
  const { origin, message } = entry
  if (message.role !== 'user') return message.role
  return origin === 'human' ? 'user' : origin
}

/** What an entry says or did, to be shown on one line; not yet safe to print. */
export function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'message':
      return messageLine(entry)
    case 'checkpoint':
      return checkpointLine(entry)
    case 'prune': {
      const refs = entry.replacements.map(({ ref }) => parseRef(ref)?.seq ?? 0)
      return `${counted(refs.length, 'part')} pruned or clipped, in ${seqRanges(refs)}`
    }
    case 'pin':
      return `${entry.ref === undefined ? '' : `[${entry.ref}] `}${entry.text.slice(0, longest)}`
    case 'unpin':
      return `pin ${entry.pin} is removed`
    case 'rewind':
      return rewindLine(entry)
    case 'observation':
      return observationLine(entry.observation)
  }
}

function messageLine({ message }: EntryOf<'message'>): string {
  if (typeof message.content === 'string') return message.content.slice(0, longest)
  return partsOf(message)
    .map(partLine)
    .filter((line) => line.trim() !== '')
    .join(' · ')
}

function partLine(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text.slice(0, longest)
    case 'reasoning':
      return '(thinks)'
    case 'tool-call':
      return `calls ${part.toolName}(${inputText(part.input).slice(0, longest)})`
    case 'tool-result':
      return `${part.toolName} answers: ${messageText({ role: 'tool', content: [part] }).slice(0, longest)}`
    default:
      return `(${part.type})`
  }
}

/** What a checkpoint kept, and the length of its summary. */
function checkpointLine({
  summarizer,
  summary,
  tail,
  continuation,
  block,
  metadata,
}: EntryOf<'checkpoint'>): string {
  const kept = tail.flatMap((item) => (item.type === 'entry' ? [item] : []))
  const changed = kept.filter(({ replacements }) => replacements?.length).length
  const omissions = tail.length - kept.length
  const parts = [
    `summarized by ${summarizer} in ${withThousands(summary.length)} characters`,
    kept.length === 0 ? 'kept nothing' : `kept ${seqRanges(kept.map(({ seq }) => seq))}`,
    ...(changed > 0 ? [`${counted(changed, 'entry', 'entries')} of them clipped`] : []),
    ...(omissions > 0 ? [counted(omissions, 'omission')] : []),
    ...(continuation ? [`continues: ${continuation.kind}`] : []),
    ...(block ? [`with a block that only ${block.provider} reads`] : []),
    ...tookText(metadata?.spent),
  ]
  return parts.join('; ')
}

function tookText(spent: unknown): string[] {
  const text = spentText(spent)
  return text === undefined ? [] : [`cost ${text}`]
}

function rewindLine({ to, resume }: EntryOf<'rewind'>): string {
  if (resume === to + 2) return `undoes entry ${to + 1}`
  const back = to === 0 ? 'back to the beginning' : `back to entry ${to}`
  return resume === undefined ? back : `${back}, keeping everything from ${resume} on`
}

function observationLine(observation: Observation): string {
  switch (observation.type) {
    case 'usage':
      return `the provider counted ${withThousands(observation.usage.inputTokens)} tokens`
    case 'limit':
      return [
        `the window is ${withThousands(observation.tokens)} tokens`,
        ...(observation.assumed ? ['assumed until the next compaction'] : []),
      ].join(', ')
    case 'calibration':
      return `${observation.ratio.toFixed(2)} real tokens per estimated token`
    case 'failure':
      return [
        `${observation.summarizer} failed: ${observation.problems.join(', ')}`,
        ...tookText(observation.spent),
      ].join('; ')
    case 'reasoning':
      return observation.provider === 'refuses'
        ? 'the provider refused reasoning after a changed context'
        : 'the provider refused calls without their reasoning'
    case 'blocks':
      return 'the provider did not take its own compaction back; ours takes its place'
    case 'redaction':
      return `redacted ${seqRanges(observation.seqs)}`
    case 'note':
      return `${observation.name}: ${inputText(observation.data)}`.slice(0, longest)
  }
}

/**
 * The cost of a summary: `2 requests, 12,000 tokens in (10,000 cached), 900 out, $0.0131`. Empty if
 * the log holds something else there, because it may come from anywhere.
 */
export function spentText(spent: unknown): string | undefined {
  if (typeof spent !== 'object' || spent === null) return undefined
  const fields = spent as Readonly<Record<string, unknown>>
  const calls = countOf(fields['calls'])
  const input = countOf(fields['inputTokens'])
  const output = countOf(fields['outputTokens'])
  if (calls === undefined || input === undefined || output === undefined) return undefined
  const cached = countOf(fields['cacheReadTokens'])
  const cost = countOf(fields['cost'])
  const parts = [
    counted(calls, 'request'),
    `${withThousands(input)} tokens in${cached ? ` (${withThousands(cached)} cached)` : ''}`,
    `${withThousands(output)} out`,
    ...(cost === undefined ? [] : [smallDollarText(cost)]),
  ]
  return parts.join(', ')
}
