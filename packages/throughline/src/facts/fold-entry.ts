import { continueTurn, endTurn, noteConclusions } from './conclusions.ts'
import { foldCall, foldResult } from './fold-call.ts'
import { recordNames } from './names/record.ts'
import { authority, enterDirectory, learnDirectory } from './paths/directories.ts'
import { noteRules } from './human/note-rules.ts'
import { ownWords } from './human/own-words.ts'
import { isLocalSummary, readBack } from './read-back.ts'
import { coreHeadings, parseSections, saysNothing, sectionBody } from './sections.ts'
import { noteTodosInProse } from './todos.ts'
import { assistantText, messageText } from '../log/message-text.ts'
import { partsOf } from '../log/message.ts'
import type { FactsState } from './fold-memory.ts'
import type { ToolLens } from './lens.ts'
import type { Told } from './timeline.ts'
import type { EntryOf } from '../log/entry.ts'

/** Adds one entry to the facts. */
export function foldEntry(
  facts: FactsState,
  entry: Told,
  lenses: readonly ToolLens[] | undefined,
): void {
  if (entry.kind === 'checkpoint') return foldCheckpoint(facts, entry)
  const directory = entry.metadata?.['directory']
  if (typeof directory === 'string') {
    enterDirectory(facts, directory, authority.environment)
    facts.memory.directoryRecorded = true
  }
  switch (entry.message.role) {
    case 'assistant':
      foldAssistant(facts, entry, lenses)
      break
    case 'tool':
      for (const part of entry.message.content) {
        if (part.type === 'tool-result') foldResult(facts, part, entry.seq, lenses)
      }
      break
    default:
      foldSaid(facts, entry)
  }
}

/** Another harness's summary may be all that is left of what it covers. */
function foldCheckpoint(
  facts: FactsState,
  { summary, metadata, seq }: EntryOf<'checkpoint'>,
): void {
  if (metadata['rung'] !== undefined) return
  facts.inherited = seq
  recordNames(facts, summary, { use: 'summary', seq, owner: '', ownerIsFile: false })
  if (isLocalSummary(summary)) readBack(facts, parseSections(summary), seq)
  for (const text of summarizedRules(summary)) {
    if (!facts.rules.some((rule) => rule.text === text)) facts.rules.push({ text, seq })
  }
}

/**
 * Rules and pins in a summary of our own form, if its log isn't available. The summary holds them
 * word for word, some over several lines.
 */
function summarizedRules(summary: string): string[] {
  const parsed = parseSections(summary)
  const own = coreHeadings.every((heading) => sectionBody(parsed, heading) !== undefined)
  if (!own) return []
  const rules: string[] = []
  const pinned = sectionBody(parsed, 'Pinned')
  if (pinned !== undefined && pinned !== '') rules.push(pinned)
  for (const line of (sectionBody(parsed, 'Instructions') ?? '').split('\n')) {
    if (line.startsWith('- ')) rules.push(line.slice(2))
    else if (rules.length > 0 && !saysNothing(line)) rules.push(`${rules.pop()}\n${line}`)
  }
  return rules
    .map((rule) => rule.replace(/ \[(?:q[0-9a-z]{5}:)?\d+\]$/, ''))
    .filter((rule) => !rule.startsWith('Taken back'))
}

function foldAssistant(
  facts: FactsState,
  entry: EntryOf<'message'>,
  lenses: readonly ToolLens[] | undefined,
): void {
  const { message, seq, finish } = entry
  continueTurn(facts)
  let calls = false
  for (const part of partsOf(message)) {
    if (part.type === 'text') {
      recordNames(facts, part.text, { use: 'mention', seq, owner: '', ownerIsFile: false })
    } else if (part.type === 'tool-call') {
      calls = true
      foldCall(facts, part, seq)
    } else if (part.type === 'tool-result') foldResult(facts, part, seq, lenses)
  }
  const text = assistantText(message)
  if (text === '') return
  noteTodosInProse(facts, text, seq)
  noteConclusions(facts, text, seq, !calls && finish !== 'tool-calls')
}

function foldSaid(facts: FactsState, entry: EntryOf<'message'>): void {
  const { message, seq, origin } = entry
  const text = messageText(message)
  if (text === '') return
  if (origin === 'human') {
    endTurn(facts)
    const words = ownWords(text)
    if (words !== '') {
      facts.requests.push({ text: words, seq })
      noteRules(facts, words, seq)
    }
  } else {
    learnEnvironment(facts, text)
  }
  recordNames(facts, text, { use: 'mention', seq, owner: '', ownerIsFile: false })
}

/** Harnesses name their directory near the beginning of what they add. */
const ENVIRONMENT = 20_000

function learnEnvironment(facts: FactsState, text: string): void {
  const start = text.slice(0, ENVIRONMENT)
  const found =
    /<cwd>([^<\n]{1,400})<\/cwd>/.exec(start) ??
    /(?:^|\n)\s*(?:Primary working directory|Working directory|Current working directory|cwd): ([^\n]{1,400})/.exec(
      start,
    )
  if (found?.[1] !== undefined) learnDirectory(facts, found[1], authority.environment)
}
