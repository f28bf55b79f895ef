import { addHash, hashOf } from '../forget/hash-set.ts'
import { ownText } from '../own-text.ts'
import type { StatementFact, StatementSource, RepositoryFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'
import type { CommandEffect } from '../lens.ts'

/** A ref as it stands at the end of a line, with the name of its log if it left it. */
export const refMark = String.raw` \[(?:q[0-9a-z]{5}:)?\d[\d.]*\]`

/** An item of a list with the lines that belong to it, without its mark and its ref. */
export function itemAt(lines: readonly string[], at: number): { text: string; last: number } {
  let last = at
  const own = [(lines[at] ?? '').slice(2).replace(firstRef, '')]
  while (lines[last + 1]?.startsWith('  ') === true) own.push((lines[++last] ?? '').slice(2))
  return { text: own.join('\n'), last }
}

export const firstRef = /^\[(?:q[0-9a-z]{5}:)?\d[\d.]*\] /
const saidNo = /^\(the human said no(?: \[(?:q[0-9a-z]{5}:)?\d[\d.]*\])?\) /

const lastRefs = new RegExp(`(?:${refMark})+$`)

/** A line without the refs at its end: they belong to the log in which it was written. */
export function withoutRef(line: string): string {
  return line.replace(lastRefs, '')
}

/** Takes an item of a summary back as the statement that it was. */
export function readStatement(
  facts: FactsState,
  written: string,
  told: Omit<StatementFact, 'text'>,
): void {
  const text = withoutRef(written).replace(saidNo, '')
  const disputed = saidNo.test(written) ? { disputedBy: told.seq } : {}
  const carried = { ...told, ...disputed, carried: true as const }
  const [first = ''] = text.split('\n', 1)
  const labelled = readLabel(first)
  if (labelled === undefined) return void noteStatement(facts, { ...carried, text })
  const { label, rest } = labelled
  const body = `${rest}\n${text.slice(first.length + 1)}`.trim()
  noteStatement(facts, { ...carried, ...label, text: body })
}

/** How many of the newest commits are remembered. */
const MOST_COMMITS = 60
const WINDOW = 20_000

const COMMITTED = /^\[([^\s\]]{1,120})(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,200})/
const ON_BRANCH =
  /^(?:On branch|Switched to (?:a new )?branch|Already on) '?([\w./@+-]{1,120})'?\s*$/
const PUSHED =
  /^[ +*=-]{0,4}(?:[0-9a-f]{7,40}\.\.\.?[0-9a-f]{7,40}|\[new (?:branch|tag)\])\s+\S+ -> \S+/

/** Notes what the output of a Git command says about branch, commits and pushes. */
export function noteRepository(facts: FactsState, effect: CommandEffect, seq: Seq): void {
  const { command, output = '', failed } = effect
  // What a command that runs on puts out later comes without its line.
  if (failed === true || (command !== '' && !command.includes('git'))) return
  const { repository } = facts
  for (const line of output.slice(0, WINDOW).split('\n')) {
    const commit = COMMITTED.exec(line)
    const [, branch, sha, subject] = commit ?? []
    if (branch !== undefined && sha !== undefined && subject !== undefined) {
      noteCommit(facts, { sha, subject: ownText(subject.trim()), seq })
      repository.changed = new Set()
      if (branch !== 'detached') repository.branch = { name: ownText(branch), seq }
      continue
    }
    const on = ON_BRANCH.exec(line)?.[1]
    if (on !== undefined) repository.branch = { name: ownText(on), seq }
    else if (PUSHED.test(line)) repository.pushedAt = seq
  }
}

/** Adds a commit as the newest, once: a step that came with a summary may show it again. */
export function noteCommit(
  { repository }: FactsState,
  commit: RepositoryFact['commits'][number],
): void {
  const others = repository.commits.filter(({ sha }) => sha !== commit.sha)
  repository.commits = [...others, commit].slice(-MOST_COMMITS)
}

/** What introduces a statement that the assistant did not say itself. */
const LABELS: readonly { source: StatementSource; begin: string; end: string }[] = [
  { source: 'plan', begin: 'The approved plan', end: ':' },
  { source: 'asked', begin: 'The human was asked', end: ':' },
  { source: 'report', begin: 'A sub-agent reported', end: ':' },
  { source: 'instructions', begin: 'Instructions that were loaded', end: ':' },
  { source: 'comment', begin: 'Comments written in', end: ':' },
  { source: 'document', begin: '', end: ' says:' },
  { source: 'message', begin: 'Written with', end: ':' },
]

/** What stands before a statement, so that a reader knows whose words they are. */
export function statementLabel({ source, about }: Pick<StatementFact, 'source' | 'about'>): string {
  const label = LABELS.find((each) => each.source === source)
  if (label === undefined) return ''
  const { begin, end } = label
  if (about === undefined) return begin === '' ? '' : `${begin}${end}`
  if (begin === '') return `${about}${end}`
  const named = source === 'comment' || source === 'message' ? ` ${about}` : ` (${about})`
  return `${begin}${named}${end}`
}

/** Reads such a label back. */
export function readLabel(
  line: string,
): { label: Pick<StatementFact, 'source' | 'about'>; rest: string } | undefined {
  for (const { source, begin, end } of LABELS) {
    if (!line.startsWith(begin)) continue
    // What is named may hold what ends a label.
    const bracketed = begin !== '' && line.startsWith(' (', begin.length)
    const at = line.indexOf(bracketed ? `)${end}` : end, begin.length) + (bracketed ? 1 : 0)
    if (at < begin.length || at > 400) continue
    const named = line
      .slice(begin.length, at)
      .trim()
      .replace(/^\((.*)\)$/, '$1')
    if (source === 'document' && !/^[^:\n]{1,300}\.\w{1,8}$/.test(named)) continue
    const about = named === '' ? {} : { about: named }
    return { label: { source, ...about }, rest: line.slice(at + end.length).trim() }
  }
  return undefined
}

/** Texts that harnesses attribute to the assistant. */
const SAYS_NOTHING =
  /^(?:No response requested\.?|\(no content\)|Done\.?|API Error.{0,400}|\[Request interrupted.{0,80})$/

/** How many characters of a statement are worth keeping; of a longer one, its middle goes. */
const LONGEST: Readonly<Record<StatementSource, number>> = {
  answer: 8_000,
  remark: 4_000,
  thought: 4_000,
  message: 4_000,
  plan: 12_000,
  asked: 4_000,
  report: 12_000,
  instructions: 12_000,
  document: 12_000,
  comment: 4_000,
}

/** Of these, only the newest about the same thing says what holds. */
const REPLACED: ReadonlySet<StatementSource> = new Set(['plan', 'instructions'])

/** A line of nothing but an element's beginning or end says nothing of what is in it. */
const TAG = /^[ \t]{0,8}<\/?[\w-]{1,40}(?: [^>\n]{0,200})?>[ \t]{0,8}$\n?/gm

/**
 * Adds a statement: what somebody wrote in this session for a reader, not for a program. What was
 * said before in the same words is not said twice.
 * @param held what holds its text: the piece of a longer one in memory of its own, the whole of a
 *   message as it is.
 */
export function noteStatement(
  facts: FactsState,
  statement: Omit<StatementFact, 'text'> & { text: string },
  held: (text: string) => string = ownText,
): StatementFact | undefined {
  const isPage = statement.source === 'document' || statement.source === 'instructions'
  const said = isPage ? statement.text.replaceAll(TAG, '') : statement.text
  const text = clipped(said.trim(), LONGEST[statement.source])
  if (text === '') return undefined
  const { source, about = '' } = statement
  const { saidBefore, newestOf } = facts.memory
  const key = keyOf(source, about, text)
  if (!addHash(saidBefore, key)) return undefined
  const fact: StatementFact = { ...statement, text: held(text) }
  if (about !== '') fact.about = ownText(about)
  if (REPLACED.has(source)) {
    const subject = ownText(`${source} ${about}`)
    const older = newestOf.get(subject)
    if (older) older.overtakenBy = statement.seq
    newestOf.set(subject, fact)
  }
  facts.statements.push(fact)
  facts.memory.characters += fact.text.length
  return fact
}

/** How much of a statement tells it from others as long. */
const BEGINNING = 400

/** What a statement is of, how long it is, and how it begins, as a number. */
function keyOf(source: StatementSource, about: string, text: string): number {
  return hashOf(`${source}\n${about}\n${text.slice(0, BEGINNING)}`, text.length)
}

/**
 * Notes what the assistant said. A text without calls ends its turn and answers the human, unless
 * the turn continues after all; other texts are remarks on the way.
 */
export function noteText(facts: FactsState, text: string, seq: Seq, ends: boolean): void {
  if (SAYS_NOTHING.test(text.trim())) return
  const { turn } = facts.memory
  const source = ends ? 'answer' : 'remark'
  const worked = ends && turn.worked
  const said = { text, seq, source, ...(worked && { worked }) } as const
  const fact = noteStatement(facts, said, asItIs)
  if (fact === undefined) return
  if (ends) turn.answer = fact
  else turn.step.push(fact)
}

/** A whole message is held by its log as well. */
function asItIs(text: string): string {
  return text
}

/** `**Considering the tests**` says what the thinking below is about, not what it came to. */
const TOPIC = /^[^\S\n]{0,3}\*\*[A-Z][a-z]{1,15}ing\b[^*\n]{0,120}\*\*[^\S\n]{0,8}$/gm

/** Notes what the assistant thought, where its provider shows that. */
export function noteThought(facts: FactsState, thought: string, seq: Seq): void {
  const text = thought.includes('**') ? thought.replaceAll(TOPIC, '') : thought
  const held = text === thought ? asItIs : ownText
  const fact = noteStatement(facts, { text, seq, source: 'thought' }, held)
  if (fact !== undefined) facts.memory.turn.step.push(fact)
}

/** The turn continued: the text that seemed to end it was a remark. */
export function continueTurn(facts: FactsState): void {
  const { turn } = facts.memory
  if (turn.answer) turn.answer.source = 'remark'
  turn.answer = undefined
  turn.step = []
}

/** The human spoke: the answer before stays one, and is disputed where the human says no to it. */
export function endTurn(facts: FactsState, words: string, seq: Seq): void {
  const { turn } = facts.memory
  if (turn.answer && disputes(words)) turn.answer.disputedBy = seq
  facts.memory.turn = { answer: undefined, step: [], worked: false }
}

/** A call changed something: what was said and thought before it says what was done, and why. */
export function noteWork(facts: FactsState): void {
  const { turn } = facts.memory
  turn.worked = true
  for (const fact of turn.step) fact.worked = true
}

const DISPUTES =
  /^\W{0,4}(?:no(?:pe)?\b(?!\s+(?:problem|worries|need|rush|more|further))|wrong\b|incorrect\b|that(?:['’]s| is| was)(?: just| simply)? (?:wrong|not (?:true|right|correct|what|how))|(?:this|it)(?:['’]s| is) (?:wrong|not (?:true|right|correct|what))|not (?:true|right|correct|really)\b|you(?:['’]re| are) wrong|không(?: phải| đúng)|sai rồi|нет[,. ]|неверно|неправильно|nein[,. ]|falsch|das stimmt nicht|eso no|no es (?:correcto|así|cierto)|incorrecto|non[,. ]|faux\b)|^\s{0,4}(?:不对|不是|错了|違い?ます|違う|いや|いいえ|아니|틀렸)/i

/** A no to what was asked, not to what was said: "No, this is fine." */
const AGREES =
  /^\W{0,4}no(?:pe)?[,.! ]{1,3}(?:i (?:think|guess) )?(?:this|that|it|all|everything)(?:['’]s| is| looks| sounds)(?: all| just)? (?:fine|ok(?:ay)?|good|great|right|correct|perfect|enough)\b/i

const BEFORE = String.raw`^\W{0,4}(?:(?:hm+|wait|actually|well|but|ok(?:ay)?|oh|ah|huh|sorry|wtf|yo|so|and|i (?:think|believe|feel)(?: like)?)\b[,. …-]{0,4}){0,4}`
/** What was said does not hold, in other words than no. */
const REFUTES = new RegExp(
  String.raw`${BEFORE}(?:you(?:['’]re|['’]ve| are| have| had)? (?:mistaken|misunderst\w+|misread\w*|confus\w+|old information|outdated|(?:got|have) (?:it|that|this) wrong|missed the point)|(?:this|that|it)(?: still)? (?:doesn['’]?t|does not|didn['’]?t|did not|isn['’]?t|is not|wasn['’]?t) (?:really )?(?:look |seem |feel |sound )?(?:work|right|true|correct|the case|what i|help|fix)|(?:can|could|please|let['’]?s)(?: you| we)?(?: please)? (?:revert|undo|roll ?back)(?: (?:that|this|it|those|all|everything|your|the last)\b|\W*$)|(?:revert|undo|roll ?back) (?:that|this|it|those|all|everything)\b|i (?:don['’]?t|do not) (?:think|believe) (?:so|that['’]?s|that is|it['’]?s|this is)|n(?:ah|a)\b[,. ]{1,3}(?:let['’]?s )?(?:roll|revert|undo|don['’]?t|leave|skip|drop)\b)`,
  'i',
)

/** Whether the human's words begin by saying that what was said before is wrong or unwanted. */
function disputes(words: string): boolean {
  const begin = words.slice(0, 160)
  if (AGREES.test(begin)) return false
  return DISPUTES.test(begin.slice(0, 80)) || REFUTES.test(begin)
}

/** The beginning and the end of a text, cut at the ends of lines where there are any. */
function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, Math.floor((most * 2) / 3))
  const tail = text.slice(text.length - Math.floor(most / 3))
  const headEnd = head.lastIndexOf('\n')
  const tailStart = tail.indexOf('\n')
  return [
    headEnd > head.length / 2 ? head.slice(0, headEnd) : wholeEnd(head),
    '…',
    tailStart >= 0 && tailStart < tail.length / 2 ? tail.slice(tailStart + 1) : wholeStart(tail),
  ].join('\n')
}

/** Not between the two halves of one character. */
function wholeEnd(text: string): string {
  const code = text.charCodeAt(text.length - 1)
  return code >= 0xd800 && code <= 0xdbff ? text.slice(0, -1) : text
}

function wholeStart(text: string): string {
  const code = text.charCodeAt(0)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(1) : text
}
