import { replaceParts } from '../../log/context/items-of.ts'
import { estimatedTokens, plus, sumEstimated, type EstimatedTokens } from '../../tokens/units.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Replacement, TailItem, Continuation } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Cut, CutStrategy } from '../cut/cut.ts'
import { carriesMedia, hasMedia } from '../clip/describe-media.ts'
import { midTask, type ContinuationStrategy } from '../continuation/continuation.ts'
import { partsOf, type UserMessage, type Message } from '../../log/message.ts'
import type { Template } from '../summary/template.ts'
import { barePlaceholder } from '../prune/placeholder.ts'
import { isResult, locatedParts } from '../clip/parts.ts'
import { transcriptOf, type TranscriptStrategy } from '../summary/transcript.ts'

/** T8: "at least two turns", which its code counts in messages. */
const leastMessages = 2

/**
 * T8 to the letter, behind T9: walk back by message, each as large as the pruning left it, until
 * the budget is reached and there are two. The one liberty: a result is not parted from its call,
 * which no provider would take. Where the walk reaches the beginning, nothing changes.
 */
export const seedCut: CutStrategy = ({ units, full, counter, protectedTools }) => {
  const pruned = seedReplacements(units, protectedTools)
  const ofItem = (item: ContextItem): Replacement[] =>
    pruned.filter(({ ref }) => ref.startsWith(`${item.seq}.`))
  const tokensOf = (item: ContextItem): EstimatedTokens => {
    const message = messageOf(item)
    if (!message) return estimatedTokens(0)
    const own = item.type === 'message' ? ofItem(item) : []
    return counter.message(own.length > 0 ? replaceParts(message, own) : message)
  }
  const split = splitUnit(units, full, tokensOf)
  const said = units
    .slice(split)
    .flatMap((unit) => unit.items)
    .filter((item) => item.type === 'message')
  const tail = said.map((item): TailItem => {
    const own = ofItem(item)
    const refs = new Set(own.map(({ ref }) => ref))
    const earlier = (item.replacements ?? []).filter(({ ref }) => !refs.has(ref))
    const replacements = [...earlier, ...own]
    return { type: 'entry', seq: item.seq, ...(replacements.length > 0 && { replacements }) }
  })
  const head = units.slice(0, split).filter((unit) => unit.item.type !== 'summary')
  const tailTokens = sumEstimated(said.map(tokensOf))
  return { tail, tailTokens, head, ...(head.length === 0 && { leave: true }) } satisfies Cut
}

/** The unit in which the walk stops; 0 if it never does. */
function splitUnit(
  units: readonly Unit[],
  budget: EstimatedTokens,
  tokensOf: (item: ContextItem) => EstimatedTokens,
): number {
  let accumulated = estimatedTokens(0)
  let messages = 0
  for (let index = units.length - 1; index >= 0; index--) {
    for (const item of (units[index] as Unit).items.toReversed()) {
      if (item.type === 'summary') return index + 1
      accumulated = plus(accumulated, tokensOf(item))
      messages += 1
      if (accumulated >= budget && messages >= leastMessages) return index
    }
  }
  return 0
}

/**
 * T11 to the letter: the last user message decides. With media: its text; without an answer:
 * itself again, with its own metadata; else `continue`. Never nothing.
 */
export const seedContinuation: ContinuationStrategy = (units) => {
  const items = units.flatMap((unit) => unit.items)
  const index = items.findLastIndex((item) => roleOf(item) === 'user')
  const item = items[index]
  const user = item && messageOf(item)
  if (item === undefined || user?.role !== 'user') return midTask()
  if (hasMedia(user)) return mediaContinuation(user)
  const answered = items.slice(index + 1).some((later) => roleOf(later) === 'assistant')
  if (answered) return midTask()
  const metadata = { ...ownMetadata(item), compaction_continue: true }
  return { kind: 'unanswered', message: user, metadata }
}

function ownMetadata(item: ContextItem): Continuation['metadata'] | undefined {
  if (item.type === 'continuation') return item.continuation.metadata
  return item.type === 'message' ? item.metadata : undefined
}

function mediaContinuation(user: UserMessage): Continuation {
  const description = partsOf(user)
    .filter((part) => !carriesMedia(part))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join(' ')
    .trim()
  const content = description
    ? `[Continuing from compaction] ${description}`
    : '[Continuing task — previous message contained media attachments]'
  return {
    kind: 'media',
    message: { role: 'user', content },
    metadata: { compaction_continue: true, had_media: true },
  }
}

/** T12's default template, word for word. */
export const DEFAULT_COMPACTION_TEMPLATE = `
Your task is to create a detailed summary of our conversation so far.
This summary will be used to restore context after compaction.

Please structure your summary with these EXACT 5 sections:

## Goal
One sentence: what is the user ultimately trying to accomplish?

## Instructions
Bullet list of rules, constraints, or preferences the user has stated.
Include coding style preferences, naming conventions, forbidden approaches.

## Discoveries
Technical facts learned about the codebase:
- File paths and their purpose
- Key functions/classes/symbols and what they do
- Patterns, conventions, or architecture decisions
- Environment details (language versions, dependencies, config)

## Accomplished
Chronological list of actions taken:
- Files created, edited, or deleted (with brief reason)
- Commands run and their outcome
- Decisions made and why

## Relevant files
List of files relevant to the current task:
- \`path/to/file.ts\` — one-line description of relevance

Keep each section focused and factual. Avoid narrative prose.
`

/** T12's template: its five sections, and the text that a summarizer is given. */
export const seedTemplate: Template = {
  sections: [...DEFAULT_COMPACTION_TEMPLATE.matchAll(/^## (.+)\n((?:.+\n)+)/gm)].map(
    ([, heading = '', guide = '']) => ({ heading, guide: guide.trim() }),
  ),
  text: DEFAULT_COMPACTION_TEMPLATE,
}

/** What the seeds see of a context: messages with roles, in order; a continuation is one of them. */
function messageOf(item: ContextItem): Message | undefined {
  if (item.type === 'message') return item.message
  return item.type === 'continuation' ? item.continuation.message : undefined
}

function roleOf(item: ContextItem): Message['role'] | undefined {
  return messageOf(item)?.role
}

/** T9: tool results before the second-last user message, except those of protected tools. */
export function seedReplacements(
  units: readonly Unit[],
  protectedTools: readonly string[],
): Replacement[] {
  return units
    .slice(0, skipBoundary(units))
    .flatMap(locatedParts)
    .filter(isResult)
    .filter(({ part }) => !protectedTools.includes(part.toolName))
    .map(({ ref }) => ({ how: 'pruned', ref, text: barePlaceholder }))
}

/** T9: the index of the second-last user message; before all messages if there are fewer. */
export function skipBoundary(units: readonly Unit[]): number {
  let turns = 0
  for (let index = units.length - 1; index >= 0; index--) {
    if (units[index]?.items.some((item) => roleOf(item) === 'user') && ++turns >= 2) return index
  }
  return 0
}

/** T9 before T8: the head as the seeds' summarizer reads it. */
export const seedTranscript: TranscriptStrategy = ({ head, units, protectedTools }) =>
  transcriptOf(head, seedReplacements(units, protectedTools))
