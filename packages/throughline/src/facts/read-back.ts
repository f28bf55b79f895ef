import { authority, learnDirectory } from './paths/directories.ts'
import { noteError } from './error-facts.ts'
import { addFile as addKnownFile } from './file-tree.ts'
import { parseSections, sectionBody, type ParsedSummary } from './sections.ts'
import type { CommandFact, FileFact, FileState, RuleFact, TodoFact } from './facts.ts'
import type { FactsState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'

/** The line above text that a summary carries over, by which the next one finds it. */
export const carriedLabel = 'From the earlier summary:'

/** The line above what a model wrote under Instructions: nothing behind it is the human's. */
export const modelsLabel = 'In the words of a model, not of the human:'

const refMark = String.raw` \[(?:q[0-9a-z]{5}:)?\d[\d.]*\]`
const quotedHead = String.raw`(?:The session began with|The latest request|The request of the human)(?:${refMark})?(?:, in full below)?:`
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
  readLatest(facts, sectionBody(parsed, 'Goal') ?? '', seq)
}

/** Pins and rules, which a summary holds word for word, some over several lines. */
function readRules(facts: FactsState, parsed: ParsedSummary, seq: Seq): void {
  const [first] = parsed.sections
  // Code writes pins in front of everything: what stands under such a heading elsewhere is a model's.
  const pinned = parsed.preamble === '' && first?.heading === 'Pinned' ? first.body : ''
  if (pinned !== '') addRule(facts, { text: pinned, seq })
  for (const line of ruleLinesIn(sectionBody(parsed, 'Instructions') ?? '')) {
    const text = withoutRef(line)
    const takenBack = /^Taken back(?: \[[^\]\n]{1,40}\])?: ([^]*)$/.exec(text)?.[1]
    if (takenBack === undefined) addRule(facts, { text, seq })
    else addRule(facts, { text: takenBack, seq, retractedBy: seq })
  }
}

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

const latestHead = new RegExp(`^Latest request(?:${refMark})?:$`)

/** The human's latest request, where it stands nowhere else: the last lines of all under its label. */
function readLatest(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  const at = lines.findLastIndex((line) => latestHead.test(line))
  const quoted = lines.slice(at + 1)
  if (at === -1 || !quoted.every((line) => line.startsWith('>'))) return
  addRequest(facts, quoted.map((line) => line.replace(/^> ?/, '')).join('\n'), seq)
}

function readFacts(facts: FactsState, parsed: ParsedSummary, seq: Seq): void {
  const body = (heading: string): string => sectionBody(parsed, heading) ?? ''
  const root = /^Paths are relative to (.{1,400})\.$/m.exec(body('Relevant files'))?.[1]
  if (root !== undefined) learnDirectory(facts, root, authority.environment)
  readRequests(facts, body('Goal'), seq)
  readDiscoveries(facts, body('Discoveries'), seq)
  readAccomplished(facts, body('Accomplished'), seq)
  readFileLines(facts, body('Relevant files'), seq)
}

const QUOTED = new RegExp(`^${quotedHead}`)

function readRequests(facts: FactsState, goal: string, seq: Seq): void {
  const lines = goal.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (QUOTED.test(line)) {
      const quoted: string[] = []
      while (lines[at + 1]?.startsWith('>') === true) {
        quoted.push((lines[++at] ?? '').replace(/^> ?/, ''))
      }
      addRequest(facts, quoted.join('\n'), seq)
    } else if (line.startsWith('- ')) addRequest(facts, withoutRef(line.slice(2)), seq)
  }
}

function addRequest(facts: FactsState, text: string, seq: Seq): void {
  const words = text.trim()
  const beginning = words.split('…', 1)[0]?.trim() ?? ''
  if (beginning === '' || facts.requests.some((known) => known.text.startsWith(beginning))) return
  facts.requests.push({ text: words, seq })
}

const ERRORS = 'Errors not seen to be solved:'

/** What an earlier summary's block quotes is carried with the summary itself. */
function readDiscoveries(facts: FactsState, body: string, seq: Seq): void {
  const lines = body.split('\n')
  const errors = lines.indexOf(ERRORS)
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('- ')) continue
    const text = withoutRef(line.slice(2))
    if (errors >= 0 && at > errors) noteError(facts, text, { owner: '' }, seq)
    else if (facts.conclusions.every((known) => !known.text.startsWith(text))) {
      facts.conclusions.push({ text, seq, final: true })
    }
  }
}

function readAccomplished(facts: FactsState, body: string, seq: Seq): void {
  let part: 'files' | 'commands' | TodoFact['status'] | undefined
  for (const line of body.split('\n')) {
    if (line === 'Files changed:') part = 'files'
    else if (line === 'Commands:') part = 'commands'
    else if (line === 'Done:') part = 'done'
    else if (line.startsWith('Still open')) part = 'open'
    else if (!line.startsWith('- ')) part = undefined
    else if (part === 'files') readChange(facts, line.slice(2), seq)
    else if (part === 'commands') readCommand(facts, line.slice(2), seq)
    else if (part !== undefined) readTodo(facts, withoutRef(line.slice(2)), part, seq)
  }
}

function readTodo(
  facts: FactsState,
  line: string,
  status: 'open' | 'active' | 'done',
  seq: Seq,
): void {
  const active = line.startsWith('under way: ')
  const text = active ? line.slice('under way: '.length) : line
  if (facts.todos.some((todo) => todo.text === text)) return
  facts.todos.push({ text, status: active ? 'active' : status, seq })
}

function readCommand(facts: FactsState, line: string, seq: Seq): void {
  const match = /^`(.+?)`(?: ×(\d+))?(?: → (ok|failed)(?: \(exit (\d+)\))?)?(?:: (.*))?$/.exec(
    withoutRef(line),
  )
  const command = match?.[1]
  if (match === null || command === undefined || facts.commands.has(command)) return
  const [, , runs, outcome, exit, detail] = match
  const fact: CommandFact = {
    command,
    purpose: 'act',
    runs: Number(runs ?? 1),
    outcome: outcome === 'ok' || outcome === 'failed' ? outcome : 'unknown',
    ...(exit !== undefined && { exitCode: Number(exit) }),
    ...(detail !== undefined && { detail }),
    seqs: [seq],
  }
  facts.commands.set(command, fact)
}

const STATES: readonly FileState[] = ['created', 'edited', 'renamed', 'deleted']

/** `edited ×3 a.ts [4]` of one file, or `edited: a.ts ×3 [4], b.ts` of all in one state. */
function readChange(facts: FactsState, line: string, seq: Seq): void {
  const all = /^(created|edited|renamed|deleted): (.*)$/.exec(line)
  if (all?.[2] !== undefined) {
    const state = STATES.find((known) => known === all[1]) ?? 'edited'
    const names = all[2].split(/(?<=\]), |, (?=[^\]]*$)|, (?![^[\]]*\])/)
    for (const name of names) readNamed(facts, withoutRef(name), state, seq)
    return
  }
  const one = /^(created|edited|renamed|deleted)(?: ×(\d+))? (.*)$/.exec(withoutRef(line))
  if (one?.[3] === undefined) return
  const state = STATES.find((known) => known === one[1]) ?? 'edited'
  const then = /^(.*?), (?:then )?edited(?: ×(\d+))?$/.exec(one[3])
  const renamed = /^(.*?) \(renamed from (.*)\)$/.exec(then?.[1] ?? one[3])
  const edits = Number(then ? (then[2] ?? 1) : (one[2] ?? (state === 'edited' ? 1 : 0)))
  const path = renamed?.[1] ?? then?.[1] ?? one[3]
  addFile(facts, { ...fromArrow(path, renamed?.[2]), state, edits }, seq)
}

function readNamed(facts: FactsState, name: string, state: FileState, seq: Seq): void {
  const counted = /^(.*) ×(\d+)$/.exec(name)
  const edits = counted ? Number(counted[2]) : state === 'edited' ? 1 : 0
  addFile(facts, { ...fromArrow(counted?.[1] ?? name), state, edits }, seq)
}

function fromArrow(path: string, from?: string): Pick<FileFact, 'path' | 'from'> {
  const [before, after] = path.split(' → ', 2)
  if (after !== undefined && before !== undefined) return { path: after, from: before }
  return { path, ...(from !== undefined && { from }) }
}

type ReadFile = Pick<FileFact, 'path' | 'from' | 'state' | 'edits'>

function addFile(facts: FactsState, { path, from, state, edits }: ReadFile, seq: Seq): void {
  if (path === '' || facts.files.has(path)) return
  const file: FileFact = { path, state, reads: 0, edits, ranges: [], seqs: [seq] }
  addKnownFile(facts.files, from === undefined ? file : { ...file, from })
  if (state === 'created') facts.memory.born.add(path)
}

const fileLine = new RegExp(
  String.raw`^- (.+?) \(((?:created|edited|renamed|read)[^()]*)\)(?:${refMark})?(?::|$)`,
)

/** `- a.ts (edited ×8, read ×2: 1-20 30-40) [3]: names`: how a file was used. */
function readFileLines(facts: FactsState, body: string, seq: Seq): void {
  for (const line of body.split('\n')) {
    const match = fileLine.exec(line)
    const [, path, uses] = match ?? []
    if (path === undefined || uses === undefined) continue
    const reads = Number(/\bread(?: ×(\d+))?/.exec(uses)?.[1] ?? (uses.includes('read') ? 1 : 0))
    const known = facts.files.get(path)
    if (known === undefined && uses.startsWith('read')) {
      const ranges = rangesIn(uses)
      addKnownFile(facts.files, { path, state: 'read', reads, edits: 0, ranges, seqs: [seq] })
    } else if (known?.seqs.at(-1) === seq && known.reads === 0) {
      known.reads = reads
      known.ranges = rangesIn(uses)
      known.edits = Math.max(known.edits, Number(/edited ×(\d+)/.exec(uses)?.[1] ?? 0))
    }
  }
}

function rangesIn(uses: string): [number, number][] {
  return [...uses.matchAll(/(\d+)-(\d+)/g)].map(([, first, last]) => [Number(first), Number(last)])
}

const lastRefs = new RegExp(`(?:${refMark})+$`)

/** A line without the refs at its end: they belong to the log in which it was written. */
function withoutRef(line: string): string {
  return line.replace(lastRefs, '')
}
