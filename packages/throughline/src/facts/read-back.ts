import {
  checkedOffLabel,
  doneLabel,
  errorsLabel,
  messagesLabel,
  ofAgent,
  modelsLabel,
  standLabel,
} from './labels.ts'
import { laterLabel, looseLabel } from './human/withdraw.ts'
import { requestPlace } from './request-place.ts'
import { authority, learnDirectory } from './paths/directories.ts'
import { backgroundIn } from './background/told-background.ts'
import { noteError } from './error-facts.ts'
import {
  firstRef,
  itemAt,
  readStatement,
  refMark,
  withoutRef,
  noteCommit,
} from './statements/note-statements.ts'
import { readChange, readFileLines } from './read-files-back.ts'
import { unfoldRepeated } from './human/repeated.ts'
import { parseSections, sectionBody, type ParsedSummary, type CoreSection } from './sections.ts'
import type {
  CommandFact,
  CommandPurpose,
  LaterWords,
  RequestFact,
  RuleFact,
  TodoFact,
} from './facts.ts'
import { noteTold, type FactsState } from './fold-memory.ts'
import { labeled } from '../log/speaker.ts'
import type { Seq } from '../log/entry.ts'

const quotedHead = String.raw`(?:The session began with|The latest request|The request of the human)(?:${refMark})?(?:${ofAgent})?(?:${requestPlace})?:`
const ownGoal = new RegExp(String.raw`(?:^|\n\n)## Goal\n${quotedHead}`)

/**
 * Whether a summary is one that code wrote: its first line introduces a request. Every line
 * of it can be read back into the facts that it came from.
 */
export function isLocalSummary(summary: string): boolean {
  return ownGoal.test(summary.trimStart())
}

/**
 * Takes a summary of our own back into the facts: after a session traveled through a file or
 * through JSON, the summary is all that is left of its beginning. What it says was known before,
 * so it never replaces what the log itself shows. Every fact gets the seq of the entry that holds
 * the summary: the refs inside it belong to another log. Of a summary that a model wrote, only the
 * lines count that code wrote into it.
 */
export function readBack(facts: FactsState, summary: string, seq: Seq): void {
  const parsed = parseSections(summary)
  readRules(facts, parsed, seq)
  if (isLocalSummary(summary)) readFacts(facts, parsed, seq)
  readBackground(facts, sectionBody(parsed, 'Goal') ?? '', seq)
  readLatest(facts, sectionBody(parsed, 'Goal') ?? '', seq)
}

/** Pins and rules, which a summary holds word for word, some over several lines. */
function readRules(facts: FactsState, parsed: ParsedSummary, seq: Seq): void {
  const [first] = parsed.sections
  // Code writes pins in front of everything: what stands under such a heading elsewhere is a model's.
  const pinned = parsed.preamble === '' && first?.heading === 'Pinned' ? first.body : ''
  if (pinned !== '') addRule(facts, { text: pinned, seq })
  for (const line of ruleLinesIn(sectionBody(parsed, 'Instructions') ?? '')) {
    const later = [...line.matchAll(laterLines)].map(([, label, text = '']): LaterWords => ({
      text,
      seq,
      ...(label === looseLabel && { loose: true }),
    }))
    const text = withoutRef(line.replace(laterLines, ''))
    const takenBack = /^Taken back(?: \[[^\]\n]{1,40}\])?: ([^]*)$/.exec(text)?.[1]
    addRule(facts, {
      text: takenBack ?? text,
      seq,
      ...(takenBack !== undefined && { retractedBy: seq }),
      ...(later.length > 0 && { later }),
    })
  }
}

const laterLines = new RegExp(
  `\n(${laterLabel}|${looseLabel}) “([^”\n]*)”(?:${refMark})?(?=\n|$)`,
  'g',
)

/** The lines in which code states rules: all before the label of what a model wrote. */
function ruleLinesIn(body: string): string[] {
  const rules: string[] = []
  for (const line of body.split('\n')) {
    if (line === modelsLabel) break
    if (line.startsWith('- ')) rules.push(line.slice(2))
    else if (line.startsWith('  ') && rules.length > 0)
      rules.push(`${rules.pop()}\n${line.slice(2)}`)
  }
  return rules
}

function addRule(facts: FactsState, rule: RuleFact): void {
  if (!facts.rules.some(({ text }) => text === rule.text)) facts.rules.push(rule)
}

const placed = new RegExp(`${requestPlace}:$`)

const latestHead = new RegExp(`^Latest request(?:${refMark})?:$`)

/** The human's latest request, if it is nowhere else: the last lines under its label. */
function readLatest(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const at = lines.findLastIndex((line) => latestHead.test(line))
  const quoted = lines.slice(at + 1)
  if (at === -1 || !quoted.every((line) => line.startsWith('>'))) return
  addRequest(facts, { text: quoted.map((line) => line.replace(/^> ?/, '')).join('\n') }, seq)
}

/** What ran then may still run; what the log shows of it since stands. */
function readBackground(facts: FactsState, goal: string, seq: Seq): void {
  for (const told of backgroundIn(goal)) {
    if (facts.background.has(told.id)) continue
    facts.background.set(told.id, { ...told, turn: 0, state: 'running', seq })
  }
}

function readFacts(facts: FactsState, parsed: ParsedSummary, seq: Seq): void {
  const body = (heading: CoreSection): string => sectionBody(parsed, heading) ?? ''
  const root = /^Paths are relative to (.{1,400})\.$/m.exec(body('Relevant files'))?.[1]
  if (root !== undefined) learnDirectory(facts, root, authority.environment)
  readRequests(facts, body('Goal'), seq)
  readStand(facts, body('Goal'), seq)
  readOpen(facts, body('Goal'), seq)
  readDiscoveries(facts, body('Discoveries'), seq)
  readAccomplished(facts, body('Accomplished'), seq)
  readFileLines(facts, body('Relevant files'), seq)
}

const QUOTED = new RegExp(`^${quotedHead}`)

/** The requests, oldest first: the summary has the latest before the others. */
function readRequests(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const said: string[] = []
  const latest: Omit<RequestFact, 'seq'>[] = []
  let listed = true
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (QUOTED.test(line)) {
      const quoted: string[] = []
      while (lines[at + 1]?.startsWith('>') === true) {
        quoted.push((lines[++at] ?? '').replace(/^> ?/, ''))
      }
      // What stands below is read where it stands.
      if (placed.test(line)) continue
      if (line.startsWith('The session began')) said.push(quoted.join('\n'))
      else latest.push({ text: quoted.join('\n'), ...(line.includes(ofAgent) && { by: 'agent' }) })
    } else if (line === messagesLabel || line === 'In between:') listed = true
    else if (line.startsWith('- ') && listed) {
      const item = itemAt(lines, at)
      at = item.last
      said.push(...unfoldRepeated(withoutRef(item.text)))
    } else if (!line.startsWith('- ')) listed = false
  }
  for (const request of [...said.map((text) => ({ text })), ...latest]) {
    addRequest(facts, request, seq)
  }
}

function addRequest(facts: FactsState, { text, by }: Omit<RequestFact, 'seq'>, seq: Seq): void {
  const words = text.trim()
  const beginning = words.split('…', 1)[0]?.trim() ?? ''
  const isSame = (known: string): boolean =>
    known === words || (beginning !== words && known.startsWith(beginning))
  const isKnown = (known: RequestFact): boolean => isSame(labeled(known.text, known))
  if (beginning === '' || facts.requests.some(isKnown)) return
  facts.requests.push({ text: words, seq, ...(by && { by }) })
}

/** Where the work stood; what has happened since overrides it. */
function readStand(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const start = lines.indexOf(standLabel)
  if (start < 0) return
  for (const line of lines.slice(start + 1)) {
    if (!line.startsWith('- ')) return
    const branch = /^- On branch (\S{1,120})/.exec(line)?.[1]
    if (branch !== undefined) facts.repository.branch ??= { name: branch, seq }
    else if (line.startsWith('- `')) readCommand(facts, line.slice(2), seq, 'check')
    else if (line.startsWith('- Newest commits: ')) readCommits(facts, line, seq)
    else if (line.startsWith('- Changed since then: ')) {
      const names = line.slice('- Changed since then: '.length).split(/, | and \d+ more$/)
      for (const name of names) if (name !== '') facts.repository.changed.add(name)
    }
  }
}

function readCommits(facts: FactsState, line: string, seq: Seq): void {
  const told = withoutRef(line.slice('- Newest commits: '.length)).split('; ')
  for (const commit of told.toReversed()) {
    const [, sha, subject] = /^([0-9a-f]{7,40}) (.{1,200})$/.exec(commit) ?? []
    if (sha !== undefined && subject !== undefined) noteCommit(facts, { sha, subject, seq })
    else if (commit === 'pushed') facts.repository.pushedAt = seq
    // A push was seen, and it was older than the newest commit.
    else if (commit === 'not pushed since') facts.repository.pushedAt = seq - 1
  }
}

const olderErrorsLabel = 'Errors not seen to be solved:'

/** What an earlier summary's block quotes is carried with the summary itself. */
function readDiscoveries(facts: FactsState, body: string, seq: Seq): void {
  const lines = body.split('\n')
  let errors = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === errorsLabel || line === olderErrorsLabel) errors = true
    if (!line.startsWith('- ')) continue
    const item = itemAt(lines, at)
    at = item.last
    if (errors) noteError(facts, withoutRef(item.text), { owner: '' }, seq)
    else readStatement(facts, item.text, { seq, source: 'answer' })
  }
}

function readAccomplished(facts: FactsState, body: string, seq: Seq): void {
  let part: 'files' | 'told' | 'commands' | TodoFact['status'] | undefined
  const lines = body.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === 'Files changed:') part = 'files'
    else if (line === doneLabel) part = 'told'
    else if (line === 'Commands:') part = 'commands'
    else if (line === checkedOffLabel || line === 'Done:') part = 'done'
    else if (line.startsWith('Still open')) part = 'open'
    else if (!line.startsWith('- ')) part = undefined
    else if (part === undefined || part === 'told' || firstRef.test(line.slice(2))) {
      const item = itemAt(lines, at)
      at = item.last
      readStatement(facts, item.text, { seq, source: 'answer', worked: true })
    } else if (part === 'files') readChange(facts, line.slice(2), seq)
    else if (part === 'commands') readCommand(facts, line.slice(2), seq)
    else readTodo(facts, withoutRef(line.slice(2)), part, seq)
  }
}

/** Open work is listed under the goal. */
function readOpen(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const start = lines.findIndex((line) => line.startsWith('Still open'))
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (!line.startsWith('- ')) return
    readTodo(facts, withoutRef(line.slice(2)), 'open', seq)
  }
}

function readTodo(
  facts: FactsState,
  line: string,
  status: 'open' | 'active' | 'done',
  seq: Seq,
): void {
  const said = /^(?:in progress|under way|pending|done): /.exec(line)?.[0] ?? ''
  const active = /^(?:in|under) /.test(said)
  const text = line.slice(said.length)
  if (facts.todos.some((todo) => todo.text === text)) return
  facts.todos.push({ text, status: active ? 'active' : status, seq })
}

function readCommand(
  facts: FactsState,
  line: string,
  seq: Seq,
  purpose: CommandPurpose = 'act',
): void {
  const match = /^`(.+?)`(?: ×(\d+))?(?: → (ok|failed)(?: \(exit (\d+)\))?)?(?:: (.*))?$/.exec(
    withoutRef(line),
  )
  const command = match?.[1]
  if (match === null || command === undefined || facts.commands.has(command)) return
  const [, , runs, outcome, exit, detail] = match
  const fact: CommandFact = {
    command,
    purpose,
    runs: Number(runs ?? 1),
    outcome: outcome === 'ok' || outcome === 'failed' ? outcome : 'unknown',
    ...(exit !== undefined && { exitCode: Number(exit) }),
    ...(detail !== undefined && { detail }),
    seqs: [seq],
  }
  facts.commands.set(command, fact)
  noteTold(facts, 'run', { name: command, times: fact.runs })
}
