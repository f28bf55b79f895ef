import { factsWith, omit } from '../conversation/session-state.ts'
import { newSessionState, type SessionState } from '../conversation/session-state.ts'
import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { give, takeReady } from '../reading/grown-log.ts'
import { readAnnounced, readPrinted, type Announced, type Printed } from './printed.ts'
import { transcript, type Piece } from './transcript.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { replyParts, type Edit } from './edits.ts'
import type { FormatReader } from '../format.ts'
import type { Origin } from '../../log/entry.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'

/** Its time is when aider was started: the file tells no other. */
interface State extends SessionState {
  /** Whether all that is printed now is what aider says of itself at its start. */
  starting: boolean
  /** Whether the model has forgotten what was given so far. */
  forgotten: boolean
  /** Where the view stands that the model has. */
  viewFrom: number
  /** A reply that waits for what is printed after it. */
  reply: string | undefined
  printed: string[]
  /** The newest reply, and the words behind a command, which aider may file as typed once more. */
  lastReply: string
  passedOn: string
  edits: number
}

/** A fresh reader for the chats of one project. */
export function aiderReader(): FormatReader {
  const state: State = {
    ...newSessionState(),
    starting: true,
    forgotten: false,
    viewFrom: 0,
    reply: undefined,
    printed: [],
    lastReply: '',
    passedOn: '',
    edits: 0,
  }
  const lines = transcript((piece) => readPiece(state, piece))
  return {
    push(line) {
      if (typeof line === 'string') lines.push(line)
      return takeReady(state.drafts)
    },
    end() {
      lines.end()
      settle(state)
      closeResults(state.conversation)
      return takeReady(state.drafts)
    },
    facts: () => factsWith(state),
  }
}

function readPiece(state: State, piece: Piece): void {
  switch (piece.type) {
    case 'start':
      settle(state)
      Object.assign(state, { at: piece.at, starting: true, forgotten: true, passedOn: '' })
      return
    case 'printed':
      for (const line of piece.text.split('\n')) state.printed.push(line)
      return
    case 'typed':
      return readWords(state, piece.text)
    case 'reply':
      settle(state)
      state.reply = piece.text
      state.lastReply = bare(piece.text)
  }
}

function readWords(state: State, text: string): void {
  const typed = readTyped(text)
  if (typed.who === 'nobody') return
  if (typed.who === 'answer') return void state.printed.push(typed.text)
  settle(state)
  switch (typed.who) {
    case 'clear':
      state.forgotten = true
      return omit(state, 'command', 1)
    case 'command':
      return void state.printed.push(typed.text)
    case 'harness':
      return say(state, 'harness', typed.text)
    case 'human': {
      const words = bare(typed.text)
      const repeated = words === state.passedOn
      state.passedOn = typed.text === text ? '' : words
      if (repeated) return
      // Aider hands the plan of one model to another as if the human had typed it.
      say(state, words === state.lastReply ? 'harness' : 'human', typed.text)
    }
  }
}

/** Gives the reply that waits, and what was printed so far. */
function settle(state: State): void {
  const { reply, starting } = state
  const lines = state.printed
  state.reply = undefined
  state.printed = []
  state.starting = false
  if (starting) return announce(state, lines)
  // Whoever changes the model is told all of it again.
  if (lines.some((line) => line.startsWith('Aider v'))) nameModel(state, readAnnounced(lines))
  if (reply !== undefined) return giveAnswered(state, reply, lines)
  const { applied, rest, notices } = readPrinted(lines)
  omit(state, 'notice', notices)
  const said = [...applied.map((path) => `Applied edit to ${path}`), ...rest]
  // A command alone, without anything that came of it.
  if (said.length === 1 && said[0]?.startsWith('/')) return omit(state, 'command', 1)
  if (said.length > 0) say(state, 'harness', said.join('\n'))
}

function announce(state: State, lines: readonly string[]): void {
  const announced = readAnnounced(lines)
  const { directory, restored, added } = announced
  nameModel(state, announced)
  if (directory) state.facts.directory = directory
  if (restored) state.forgotten = false
  omit(state, 'notice', lines.length - added.length)
  if (added.length > 0) say(state, 'harness', added.join('\n'))
}

function nameModel({ facts }: State, { model }: Announced): void {
  if (model) facts.model = model
}

function giveAnswered(state: State, reply: string, lines: readonly string[]): void {
  forget(state)
  const { conversation, at, facts } = state
  const printed = readPrinted(lines)
  const { parts, results, rest } = answeredReply(reply, printed, () => `edit_${++state.edits}`)
  giveReply(conversation, { at, parts, model: facts.model })
  for (const result of results) addResult(conversation, { at, ...result })
  omit(state, 'notice', printed.notices)
  if (rest.length > 0) say(state, 'harness', rest.join('\n'))
}

function say(state: State, origin: Origin, text: string): void {
  forget(state)
  const { conversation, at } = state
  giveEntries(conversation, userMessages([{ origin, part: { type: 'text', text } }], at))
}

/** Each start of aider, and `/clear`, leaves its model with nothing of what was said before. */
function forget(state: State): void {
  if (!state.forgotten) return
  state.forgotten = false
  closeResults(state.conversation)
  const { drafts, at } = state
  if (drafts.given > state.viewFrom) {
    state.viewFrom = give(drafts, { kind: 'rewind', at, to: 0 })
  }
}

/** Words without the space around their lines, which a transcript does not keep. */
function bare(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

/** Whose words stand in a `#### ` line, and what becomes of them. */
type Typed =
  | { who: 'human'; text: string }
  /** What aider itself filed among the human's words. */
  | { who: 'harness'; text: string }
  /** An order to aider that no model sees. */
  | { who: 'command'; text: string }
  /** An answer to a question of aider. */
  | { who: 'answer'; text: string }
  /** From here on the model knows nothing of what was said before. */
  | { who: 'clear' }
  | { who: 'nobody' }

/** Tells a request from an order to aider, and both from what aider files as the human's. */
function readTyped(text: string): Typed {
  if (text.trim() === '' || text === '<blank>') return { who: 'nobody' }
  if (isAnswer(text)) return { who: 'answer', text }
  if (ownWords.some((words) => text.startsWith(words))) return { who: 'harness', text }
  if (!/^[/!]/.test(text)) return { who: 'human', text }
  const [, name = '', words = ''] = /^\/([\w-]*)\s*([^]*)$/.exec(text) ?? []
  if (asking.has(name) && words !== '') return { who: 'human', text: words }
  if (isShort(name, 'clear') || isShort(name, 'reset')) return { who: 'clear' }
  return { who: 'command', text }
}

/** Commands that pass their words on to the model. */
const asking: ReadonlySet<string> = new Set(['ask', 'code', 'architect', 'context', 'help'])

/** Aider takes the first letters of a command for it. */
function isShort(name: string, command: string): boolean {
  return name.length > 2 && command.startsWith(name)
}

/** Where one answer stands for a group of questions, it is filed with its question. */
function isAnswer(text: string): boolean {
  return (
    text.length < 500 && !text.includes('\n') && /\(Y\)es\/\(N\)o.{0,80}\[\w+\]: \w+$/.test(text)
  )
}

/** How prompts of aider begin that it files as if they had been typed. */
const ownWords = [
  '# Fix any errors below, if possible.',
  '## Running: ',
  '# Question: ',
  "I've written your instructions in comments in the code",
]

/** A reply whose edits are calls, and what came of each. */
interface AnsweredReply {
  parts: AssistantPart[]
  results: { toolCallId: string; output: ToolOutput }[]
  /** What was printed and is no result. */
  rest: readonly string[]
}

/**
 * A reply with what aider printed after it. An edit that aider applied or refused is a call with
 * its result; one that it passed over, as where only a question was asked, stays text.
 */
function answeredReply(
  reply: string,
  { applied, refused, rest }: Printed,
  newId: () => string,
): AnsweredReply {
  const parts: AssistantPart[] = []
  const results: AnsweredReply['results'] = []
  const paths: ReadonlySet<string> = new Set(applied)
  const unseen = new Set(applied)
  const byName = new Map(applied.map((path) => [nameIn(path), path]))
  let told = false
  const call = (toolName: string, input: object, output: ToolOutput): void => {
    const toolCallId = newId()
    parts.push({ type: 'tool-call', toolCallId, toolName, input })
    results.push({ toolCallId, output })
  }
  // Aider finds a file by the end of its path.
  const appliedPath = (path: string): string | undefined => {
    const found = byName.get(nameIn(path))
    if (found === undefined || found === path) return found
    return paths.has(path) ? path : found.endsWith(`/${path}`) ? found : undefined
  }
  for (const part of replyParts(reply)) {
    const path = part.type === 'edit' ? appliedPath(part.path) : undefined
    if (part.type === 'text') addText(parts, part.text)
    else if (path !== undefined) {
      unseen.delete(path)
      call(...editCall(part, path), { type: 'text', value: `Applied edit to ${path}` })
    } else if (refused) {
      const value = told ? 'The edit was not applied.' : rest.join('\n')
      told = true
      call(...editCall(part, part.path), { type: 'error-text', value })
    } else addText(parts, part.source)
  }
  // Written whole or as a diff, in a form that is not taken apart.
  for (const path of unseen) {
    call('edit_file', { file_path: path }, { type: 'text', value: `Applied edit to ${path}` })
  }
  return { parts, results, rest: told ? [] : rest }
}

function addText(parts: AssistantPart[], text: string): void {
  const last = parts.at(-1)
  if (last?.type === 'text') last.text += `\n\n${text}`
  else parts.push({ type: 'text', text })
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function editCall({ search, replace }: Edit, path: string): [toolName: string, input: object] {
  return search === ''
    ? ['write_file', { file_path: path, content: replace }]
    : ['search_replace', { file_path: path, old_string: search, new_string: replace }]
}
