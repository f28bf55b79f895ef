import { isAskedByAgent } from '../log/asked-by-agent.ts'
import { labeled, speakerOf } from '../log/speaker.ts'
import { quotedAnswerLabel } from './labels.ts'
import { withoutPlaceholders, withoutTornSentences } from './statements/units.ts'
import { emptyMemory, type FactsState } from './fold-memory.ts'
import { forgetLeast } from './forget/forget-least.ts'
import { authority, learnDirectory, learnEnvironment, enterDirectory } from './paths/directories.ts'
import { indexAfter, type Chronological } from '../log/order.ts'
import { foldCall, foldResult } from './fold-call.ts'
import { ownText } from './own-text.ts'
import {
  noteBackgroundMessage,
  noteBackgroundRequest,
  noteBackgroundUse,
  noteChild,
} from './background/note-background.ts'
import { recordNames } from './names/record.ts'
import { noteQuoted, noteRules } from './human/note-rules.ts'
import { withoutHandedOn } from './human/pasted.ts'
import { asksInWords } from './human/asks-in-words.ts'
import { clientSummaryIn } from './human/client-summary.ts'
import { humanWords, unsureWords } from './human/speech.ts'
import {
  continueTurn,
  endTurn,
  noteStatement,
  noteText,
  noteThought,
} from './statements/note-statements.ts'
import { noteLoaded } from './statements/loaded.ts'
import { noteReportMessage } from './statements/told-by-calls.ts'
import { readBack } from './summary/read-back.ts'
import { hasTravelled } from '../log/travelled.ts'
import { noteTodosInProse } from './todos.ts'
import { assistantText, messageText, textsOf, partsOf } from '../log/message.ts'
import { compactedBy, withoutProviderCompaction } from '../log/context/provider-compaction.ts'
import { entriesIn, lastRewind, rangesAt, withRewinds } from '../log/history.ts'
import type { Facts } from './facts.ts'
import type { ToolLens } from './lens.ts'
import type { Entry, Seq, EntryOf } from '../log/entry.ts'

function foldEntry(facts: FactsState, entry: Told, lenses: readonly ToolLens[] | undefined): void {
  readEntry(facts, entry, lenses)
  forgetLeast(facts, entry.seq)
}

function readEntry(facts: FactsState, entry: Told, lenses: readonly ToolLens[] | undefined): void {
  if (entry.kind === 'checkpoint') return foldCheckpoint(facts, entry)
  if (entry.kind === 'observation') {
    const { observation } = entry
    if (observation.type === 'note') noteChild(facts, observation.data, entry.seq)
    return
  }
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

/** A summary that came with the session may be all that is left of what it covers. */
function foldCheckpoint(facts: FactsState, entry: EntryOf<'checkpoint'>): void {
  const { summary, seq } = entry
  if (isOwnCheckpoint(entry)) return
  const isOwn = hasTravelled(entry)
  // The messages that a client has summarized are still in its file.
  if (facts.requests.length === 0 || isOwn) inherit(facts, seq, isOwn)
  recordNames(facts, summary, { use: 'summary', seq, owner: '', ownerIsFile: false })
  if (isOwn) readBack(facts, summary, seq)
}

function inherit(facts: FactsState, seq: Seq, isOwn: boolean): void {
  facts.inherited = seq
  if (isOwn) delete facts.unvouched
  else facts.unvouched = true
}

/** A client may begin its messages with a summary in words of its own. */
function foldClientSummary(facts: FactsState, text: string, entry: EntryOf<'message'>): void {
  if (facts.requests.length > 0) return
  const summary = clientSummaryIn(text)
  if (!summary) return
  // Anybody can write its form: only what is vouched for speaks for the human.
  const isOwn = summary.isOwn && hasTravelled(entry)
  inherit(facts, entry.seq, isOwn)
  if (isOwn) readBack(facts, summary.text, entry.seq)
}

function foldAssistant(
  facts: FactsState,
  entry: EntryOf<'message'>,
  lenses: readonly ToolLens[] | undefined,
): void {
  const { message, seq, finish } = entry
  continueTurn(facts)
  facts.memory.asked = asksInWords(message)
  let calls = false
  for (const part of partsOf(message)) {
    if (part.type === 'reasoning') noteThought(facts, part.text, seq)
    else if (part.type === 'text') {
      recordNames(facts, part.text, { use: 'mention', seq, owner: '', ownerIsFile: false })
    } else if (part.type === 'tool-call') {
      calls = true
      foldCall(facts, part, seq)
    } else if (part.type === 'tool-result') foldResult(facts, part, seq, lenses)
  }
  // What a provider compacted is told by the log itself.
  const own = withoutProviderCompaction(message)
  const text = own === undefined ? '' : assistantText(own)
  if (text === '') return
  noteBackgroundUse(facts, seq)
  noteTodosInProse(facts, text, seq)
  noteText(facts, text, seq, !calls && finish !== 'tool-calls')
}

function foldSaid(facts: FactsState, entry: EntryOf<'message'>): void {
  const { message, seq, origin } = entry
  const { asked } = facts.memory
  facts.memory.asked = false
  // Encrypted: there are no words to read.
  if (compactedBy(message) === 'openai') return
  const text = messageText(message)
  if (text === '') return
  noteBackgroundMessage(facts, text, seq)
  const texts = textsOf(message)
  if (origin === 'human') {
    const came = facts.inherited !== undefined
    const words = humanWords(came ? texts.map(withoutPlaceholders) : texts, asked)
    endTurn(facts, words, seq)
    if (words !== '') {
      noteBackgroundRequest(facts, seq)
      const byAgent = isAskedByAgent(entry)
      const speaker = byAgent ? undefined : speakerOf(entry)
      const isUnnamed = speaker !== undefined && labeled(words, speaker) !== words
      facts.requests.push({
        text: ownText(words),
        seq,
        ...(isUnnamed && { name: speaker.name }),
        ...(byAgent && { by: 'agent' }),
      })
      if (!byAgent) {
        const { own, handedOn } = withoutHandedOn(words)
        noteRules(facts, own, seq, speaker)
        noteQuoted(facts, handedOn, seq)
      }
    }
  } else {
    if (origin === 'harness') foldClientSummary(facts, text, entry)
    learnEnvironment(facts, text)
    noteLoaded(facts, text, seq)
    if (origin === 'harness') noteReportMessage(facts, text, seq)
    noteQuotedAnswer(facts, text, seq)
  }
  noteQuoted(facts, unsureWords(texts, asked), seq)
  recordNames(facts, text, { use: 'mention', seq, owner: '', ownerIsFile: false })
}

/** Where the session came with a summary, what a marker of ours quotes stands nowhere else. */
function noteQuotedAnswer(facts: FactsState, text: string, seq: Seq): void {
  if (facts.inherited === undefined) return
  const [marker, quoted] = text.split(`${quotedAnswerLabel}\n`, 2)
  if (
    quoted === undefined ||
    !/^(?:\[\d{1,15} (?:step|message)s? .{0,120}\]\n)?$/.test(marker ?? '')
  )
    return
  noteStatement(facts, { text: withoutTornSentences(quoted), seq, source: 'answer' })
}

export interface FactsOptions {
  /** The lenses of plugins; they are asked before the built-in ones. */
  lenses?: readonly ToolLens[] | undefined
  /** Where the session works, the root first, if known from elsewhere. */
  directories?: readonly string[] | undefined
  /** The newest entry to fold in; all by default. */
  upTo?: Seq | undefined
}

export function emptyFacts(): Facts {
  return empty()
}

function empty(): FactsState {
  return {
    seq: 0,
    root: '',
    directories: [],
    files: new Map(),
    commands: new Map(),
    errors: [],
    names: new Map(),
    rules: [],
    requests: [],
    statements: [],
    repository: { commits: [], changed: new Set() },
    todos: [],
    background: new Map(),
    memory: emptyMemory(),
  }
}

/**
 * The facts of a log, or of its part up to `options.upTo`.
 * @example
 * const { files, rules } = indexOf(log)
 */
export function factsOf(log: Chronological, options: FactsOptions = {}): Facts {
  return advanceFacts(empty(), log, options)
}

/**
 * Folds in the entries after `facts.seq`, in place, at a cost that depends on what is new. Only a
 * rewind costs more: rewound entries leave no facts, so everything that remains is folded again.
 * The options must be the same in every call.
 */
export function advanceFacts(facts: Facts, log: Chronological, options: FactsOptions = {}): Facts {
  const { lenses, upTo = Number.MAX_SAFE_INTEGER } = options
  const state = stateOf(facts)
  for (const directory of options.directories ?? [])
    learnDirectory(state, directory, authority.options)
  const from = indexAfter(log, state.seq)
  const end = indexAfter(log, upTo)
  let start = from
  const rewind = lastRewind(log, from, end)
  if (rewind >= 0 && !isFoldedOn(log, state.seq, upTo)) {
    const seq = (log[rewind] as Entry).seq
    restart(state, options.directories)
    for (const told of toldUpTo(log, seq)) foldEntry(state, told, lenses)
    start = rewind + 1
  }
  for (let at = start; at < end; at++) {
    const entry = log[at] as Entry
    if (isTold(entry)) foldEntry(state, entry, lenses)
  }
  if (end > from) state.seq = (log[end - 1] as Entry).seq
  return facts
}

/** As many entries are folded before others may have their turn. */
const piece = 50

/**
 * The facts after the rewind `rewind`, folded anew from the whole log. They are ready when the
 * generator is done; until then others may have their turn whenever it yields.
 */
export function* factsAfterRewind(
  log: Chronological,
  rewind: Seq,
  { lenses, directories = [] }: FactsOptions = {},
): Generator<undefined, Facts> {
  const state = empty()
  for (const directory of directories) learnDirectory(state, directory, authority.options)
  const told = toldUpTo(log, rewind)
  for (let at = 0; at < told.length; at++) {
    foldEntry(state, told[at] as Told, lenses)
    if (at % piece === piece - 1) yield
  }
  state.seq = rewind
  return state
}

/**
 * Whether the entries after `seq` leave the facts that are there: nothing is rewound, or only what
 * says nothing new, as where a compaction is undone.
 */
export function isFoldedOn(log: Chronological, seq: Seq, upTo = Number.MAX_SAFE_INTEGER): boolean {
  const end = indexAfter(log, upTo)
  for (let at = indexAfter(log, seq); at < end; at++) {
    if ((log[at] as Entry).kind === 'rewind' && !leavesTold(log, at)) return false
  }
  return true
}

/** Whether a rewind undoes no message. */
function leavesTold(log: Chronological, rewind: number): boolean {
  const entry = log[rewind] as Entry
  if (entry.kind !== 'rewind') return false
  const to = Math.min(entry.to, entry.seq - 1)
  const first = indexAfter(log, to)
  // All that is undone must be at hand.
  if (rewind - first !== entry.seq - 1 - to) return false
  const resume = entry.resume ?? entry.seq
  for (let at = first; at < rewind; at++) {
    const undone = log[at] as Entry
    // An earlier rewind would be undone as well.
    if (undone.kind === 'rewind') return false
    if (undone.seq < resume && isTold(undone) && !isOwnCheckpoint(undone)) return false
  }
  return true
}

/** A summary that we wrote of the log itself, which says nothing that the log doesn't. */
function isOwnCheckpoint(entry: Entry): boolean {
  return entry.kind === 'checkpoint' && entry.metadata['rung'] !== undefined
}

/** a set of facts that somebody put together by hand has no memory yet. */
function stateOf(facts: Facts): FactsState {
  const state = facts as FactsState
  state.memory ??= emptyMemory()
  state.root ??= ''
  state.background ??= new Map()
  return state
}

function restart(state: FactsState, directories: readonly string[] | undefined): void {
  delete state.inherited
  delete state.unvouched
  Object.assign(state, { ...empty(), seq: state.seq })
  for (const directory of directories ?? []) learnDirectory(state, directory, authority.options)
}

/** The entries that the facts read: messages that somebody said, checkpoints, and links to children. */
type Told = EntryOf<'message'> | EntryOf<'checkpoint'> | EntryOf<'observation'>

/** The entries that count up to an entry, in order, after every rewind on the way. */
export function toldUpTo(log: Chronological, seq: Seq): Told[] {
  const rewinds = withRewinds([], log, 0, indexAfter(log, seq))
  return [...entriesIn(log, rangesAt(rewinds, seq))].filter(isTold)
}

/** Whether an entry counts; those that the engine made up don't. */
function isTold(entry: Entry): entry is Told {
  if (entry.kind === 'checkpoint') return true
  if (entry.kind === 'observation') {
    return entry.observation.type === 'note' && entry.observation.name === 'child'
  }
  return (
    entry.kind === 'message' &&
    entry.origin !== 'synthetic' &&
    entry.metadata?.compaction_continue !== true
  )
}
