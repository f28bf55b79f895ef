import { stringLeaves } from '../../json/fields.ts'
import { hasFailed, itemsOf, textOf } from '../lenses/arguments.ts'
import { memoryCommand } from '../lenses/memory-call.ts'
import { endsIn } from '../background/read-background.ts'
import { spellPath } from '../paths/directories.ts'
import { noteStatement } from './note-statements.ts'
import { isProse } from './prose.ts'
import { commentsIn, proseInCommand } from './written-prose.ts'
import type { FactsState } from '../fold-memory.ts'
import type { CommandEffect, Effect, LensCall } from '../lens.ts'
import type { Seq } from '../../log/entry.ts'

/** A call that succeeded, with what it did. */
export interface DoneCall {
  call: LensCall
  effects: readonly Effect[]
  /** The path that it is about, as the facts spell it. */
  about: string | undefined
  /** The entries of the call and of its result. */
  calledAt: Seq
  seq: Seq
}

/**
 * Notes what a call and its result say for a reader: messages, plans, documents and comments that
 * were written; reports of sub-agents, instructions, answers and documents that were read. A call
 * that failed says nothing.
 */
export function noteToldByCall(facts: FactsState, done: DoneCall): void {
  const { call, effects } = done
  const ran = effects.find((effect) => effect.type === 'command')
  const failed = hasFailed(call) || effects.some(({ type }) => type === 'failure')
  if (failed || ran?.failed === true) return
  if (ran) noteCommandProse(facts, done, ran.command, ran.head ?? '')
  if (ran) noteGuide(facts, ran, done.seq)
  notePlan(facts, done)
  noteTalk(facts, done)
  // The agent's own notes are in their files: a copy here would be out of date.
  if (memoryCommand(call.tool, call.input) !== undefined) return
  noteWritten(facts, done)
  noteDocumentRead(facts, done)
}

function noteCommandProse(
  facts: FactsState,
  { calledAt }: DoneCall,
  command: string,
  head: string,
): void {
  for (const { text, by } of proseInCommand(command)) {
    const name = by !== '' || !NAMES_ONE.test(head) ? by : head
    const about = name === '' ? {} : { about: name }
    const said = text.replaceAll(TRAILER, '')
    noteStatement(facts, { text: said, seq: calledAt, source: 'message', worked: true, ...about })
  }
}

/** The head of a command line that is no text which it passes on. */
const NAMES_ONE = /^[^\n'"`$@]{1,120}$/

/** `bd prime`: one program that is asked for one thing. */
const SIMPLE = /^[\w.@/-]{1,60}(?: [\w.:=@/-]{1,60}){0,3}$/
const LONGEST_GUIDE = 40_000
const FEWEST_DEMANDS = 2

/** What a program prints for agents about how to work: it has headings, and it demands. */
function noteGuide(facts: FactsState, { command, output = '' }: CommandEffect, seq: Seq): void {
  const name = command.trim()
  if (output.length > LONGEST_GUIDE || !SIMPLE.test(name)) return
  const headings = output.match(/^#{1,4} \S/gm) ?? []
  const demands = output.match(/\b(?:NEVER|MUST|ALWAYS|MANDATORY|CRITICAL|Do NOT|Never|Always)\b/g)
  if (headings.length < 2 || (demands ?? []).length < FEWEST_DEMANDS) return
  noteStatement(facts, { text: output, seq, source: 'document', about: name, whole: true })
}

/** Lines that name the author of a message. */
const TRAILER =
  /^(?:co-authored-by|signed-off-by|reviewed-by|acked-by|change-id): .{0,200}$|^(?:🤖 )?generated with .{0,200}$/gimu

const PLANS = /^(?:exit_?plan_?mode|submit_?plan|present_?plan)$/i
const UPDATES_PLAN = /^update_?plan$/i

/** A plan that the human approved; the call succeeds only then. */
function notePlan(facts: FactsState, { call, calledAt }: DoneCall): void {
  const text = textOf(call.input, 'plan', 'summary', 'explanation')
  if (text === undefined) return
  if (PLANS.test(call.tool)) noteStatement(facts, { text, seq: calledAt, source: 'plan' })
  else if (UPDATES_PLAN.test(call.tool)) {
    noteStatement(facts, { text, seq: calledAt, source: 'remark' })
  }
}

const AGENTS =
  /^(?:task|agent|wait_agent|read_agent|agentoutput|agentoutputtool|delegate|subagent|run_subagent)$/i
const SKILLS = /^(?:skill|load_skill|activate_skill|use_skill)$/i
const QUESTIONS =
  /^(?:askuserquestion|ask_user|ask_user_question|request_user_input|question|ask_followup_question)$/i
const MEMORIES = /^(?:save_memory|memory|remember|update_memory|create_memory)$/i

/** A shorter result only confirms. */
const SHORTEST_REPORT = 60

/** What others said: sub-agents, skills, and the human who was asked through a tool. */
function noteTalk(facts: FactsState, { call, calledAt, seq }: DoneCall): void {
  const { tool, input, output = '' } = call
  const name = tool.slice(tool.lastIndexOf('__') + 1).replace(/^_/, '')
  if (AGENTS.test(name) && output.length >= SHORTEST_REPORT && isProse(readable(output))) {
    const about =
      textOf(input, 'description', 'subagent_type', 'name', 'agent_type') ??
      tasksOf(facts, endsIn(tool, input, output))
    const source = 'report' as const
    noteStatement(facts, {
      text: readable(output),
      seq,
      source,
      ...(about !== undefined && { about }),
    })
  } else if (SKILLS.test(name) && isProse(output)) {
    const about = textOf(input, 'skill', 'name', 'command') ?? 'skill'
    noteStatement(facts, { text: output, seq, source: 'instructions', about })
  } else if (QUESTIONS.test(name) && output.trim() !== '') {
    noteStatement(facts, { text: `${questionsOf(input)}${output.trim()}`, seq, source: 'asked' })
  } else if (MEMORIES.test(name)) {
    const text = textOf(input, 'fact', 'content', 'memory', 'text')
    if (text !== undefined)
      noteStatement(facts, { text, seq: calledAt, source: 'message', about: tool })
  } else {
    const to = textOf(input, 'to', 'recipient', 'channel')?.trim() ?? ''
    const text = textOf(input, 'text', 'body', 'message', 'content')
    // Whatever the tool is called: it hands a text to somebody.
    if (to === '' || to.length > longestRecipient || text === undefined) return
    const about = `${name} to ${to}`
    noteStatement(facts, { text, seq: calledAt, source: 'message', worked: true, about })
  }
}

const longestRecipient = 120

/** The report of an agent that ran beside the session, where its harness says it unasked. */
export function noteReportMessage(facts: FactsState, text: string, seq: Seq): void {
  const begin = text.indexOf('<result>')
  const end = text.lastIndexOf('</result>')
  if (begin === -1 || end <= begin) return
  const ended = endsIn('', undefined, text).filter(
    ({ id }) => facts.background.get(id)?.kind === 'agent',
  )
  const report = readable(text.slice(begin + '<result>'.length, end))
  if (ended.length === 0 || report.length < SHORTEST_REPORT || !isProse(report)) return
  const about = tasksOf(facts, ended)
  noteStatement(facts, {
    text: report,
    seq,
    source: 'report',
    ...(about !== undefined && { about }),
  })
}

const LONGEST_TASKS = 240

/** What the agents were started for: who reads only what they found might start them again. */
function tasksOf(facts: FactsState, ended: readonly { id: string }[]): string | undefined {
  const tasks = ended.flatMap(({ id }) => facts.background.get(id)?.task ?? [])
  if (tasks.length === 0) return undefined
  return tasks.join('; ').slice(0, LONGEST_TASKS).toWellFormed()
}

/** Some harnesses return a list of texts as JSON. */
function readable(output: string): string {
  const text = output
    .replace(/\n<usage>[^<]{0,400}<\/usage>/g, '')
    .replace(/\nagentId: [^\n]{0,200}/g, '')
    .trim()
  if (!text.startsWith('[{') && !text.startsWith('{"')) return text
  try {
    return stringLeaves(JSON.parse(text)).filter(isProse).join('\n')
  } catch {
    return text
  }
}

function questionsOf(input: unknown): string {
  const asked = itemsOf(input, 'questions')
    .map((item) => textOf(item, 'question', 'text', 'header'))
    .filter((text) => text !== undefined)
  const one = textOf(input, 'question', 'prompt')
  const all = asked.length > 0 ? asked : one === undefined ? [] : [one]
  return all.map((text) => `${text.trim()}\n`).join('')
}

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i

/** What was written to a document, and the comments that were written into code. */
function noteWritten(facts: FactsState, { call, effects, about, calledAt }: DoneCall): void {
  if (!effects.some(({ type }) => type === 'create' || type === 'edit')) return
  const directory = effects.find((effect) => effect.type === 'command')?.directory
  const spelled = (path: string): string => spellPath(facts, path, directory) ?? path
  const created = new Set(
    effects.flatMap((effect) => (effect.type === 'create' ? [spelled(effect.path)] : [])),
  )
  const single = about === undefined ? [] : [{ path: about, text: textsIn(call.input) }]
  const patch = typeof call.input === 'string' ? call.input : patchIn(call.input)
  const written =
    patch === undefined
      ? single
      : byPatch(patch).map(({ path, text }) => ({ path: spelled(path), text }))
  for (const { path, text } of written) {
    const document = DOCUMENT.test(path)
    const said = document ? text : commentsIn(text)
    const whole = created.has(path)
    const source = document ? 'document' : 'comment'
    const about = { about: path, ...(document && whole && { whole }) }
    if (!isProse(said)) continue
    noteStatement(facts, { text: said, seq: calledAt, source, worked: true, ...about })
  }
}

const WRITTEN = [
  'content',
  'file_text',
  'new_string',
  'newString',
  'new_str',
  'newText',
  'replacement',
  'contents',
  'text',
]

/** What the input of a call writes to the file that it names. */
function textsIn(input: unknown): string {
  return textOf(input, ...WRITTEN) ?? itemsOf(input, 'edits').map(textsIn).join('\n\n')
}

function patchIn(input: unknown): string | undefined {
  const text = textOf(input, 'input', 'patch', 'patchText', 'patch_text', 'diff', 'command', 'cmd')
  return text !== undefined && text.includes('*** Begin Patch') ? text : undefined
}

/** The lines that a patch adds, by file. */
function byPatch(patch: string): { path: string; text: string }[] {
  const files: { path: string; lines: string[] }[] = []
  for (const line of patch.slice(0, 400_000).split('\n')) {
    const path = /^\*\*\* (?:Add|Update) File: (.{1,400})$/.exec(line)?.[1]
    if (path !== undefined) files.push({ path: path.trim(), lines: [] })
    // Lines that were not added next to each other say nothing together.
    else files.at(-1)?.lines.push(line.startsWith('+') ? line.slice(1) : '')
  }
  return files.map(({ path, lines }) => ({ path, text: lines.join('\n') }))
}

/** A document that was read: what it says may be asked for again. */
function noteDocumentRead(facts: FactsState, { call, effects, seq }: DoneCall): void {
  const read = effects.filter((effect) => effect.type === 'read')
  const [only] = read
  if (only === undefined || read.length > 1 || !DOCUMENT.test(only.path)) return
  const ran = effects.find((effect) => effect.type === 'command')
  const shown = ran?.output ?? call.output ?? ''
  const output = withoutNumbers(shown)
  if (!isProse(output)) return
  const about = spellPath(facts, only.path, ran?.directory) ?? only.path
  const whole = only.range === undefined && !CUT.test(shown)
  noteStatement(facts, { text: output, seq, source: 'document', about, ...(whole && { whole }) })
}

/** Not all of the file is shown. */
const CUT = /\btruncated\b|\bmore lines?\b/i

const NUMBERED = /^(\d{1,6})\.(?: |$)/
const FEWEST_NUMBERED = 5

/** `12. text` is how some harnesses show a file: then every line has a number, one after the other. */
function withoutListNumbers(lines: readonly string[]): readonly string[] {
  let next: number | undefined
  let count = 0
  for (const line of lines) {
    const number = NUMBERED.exec(line)?.[1]
    if (number === undefined || (next !== undefined && Number(number) !== next)) break
    next = Number(number) + 1
    count += 1
  }
  // A list in the file itself has other lines before or behind it, or no blank ones.
  const shown = lines.slice(0, count)
  const isFile = count >= FEWEST_NUMBERED && shown.some((line) => /^\d{1,6}\.\s*$/.test(line))
  if (!isFile) return lines
  return [...shown.map((line) => line.replace(NUMBERED, '')), ...lines.slice(count)]
}

/** `   12→text`, `12: text` and `<file>` are how harnesses show a file. */
function withoutNumbers(output: string): string {
  const reminder = output.indexOf('\n<system-reminder>')
  const shown = reminder < 0 ? output : output.slice(0, reminder)
  return withoutListNumbers(shown.split('\n'))
    .map((line) => line.replace(/^\s{0,8}\d{1,6}(?:→|\t|: |\| ?)/, ''))
    .filter((line) => !OF_THE_TOOL.test(line.slice(0, 200)))
    .join('\n')
}

/** What a tool says about how it shows a file, which does not stand in the file. */
const OF_THE_TOOL =
  /^<\/?(?:path|type|content|file|entries)>?|^<(?:path|type)>|^\s{0,4}[([](?:End of file\b|Output (?:was )?truncated\b|Showing lines\b|File has (?:more|at least)\b|\d{1,7} more lines?\b|\.\.\. \d{1,7} lines?\b).{0,180}$/i
