import type { StatementFact, StatementSource } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'

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

/**
 * Adds a statement: what somebody wrote in this session for a reader, not for a program. What was
 * said before in the same words is not said twice.
 */
export function noteStatement(
  facts: FactsState,
  statement: Omit<StatementFact, 'text'> & { text: string },
): StatementFact | undefined {
  const text = clipped(statement.text.trim(), LONGEST[statement.source])
  if (text === '') return undefined
  const { source, about = '' } = statement
  const { saidBefore, newestOf } = facts.memory
  const key = `${source} ${about} ${text.length} ${text.slice(0, 400)}`
  if (saidBefore.has(key)) return undefined
  saidBefore.add(key)
  const fact: StatementFact = { ...statement, text }
  if (REPLACED.has(source)) {
    const older = newestOf.get(`${source} ${about}`)
    if (older) older.overtakenBy = statement.seq
    newestOf.set(`${source} ${about}`, fact)
  }
  facts.statements.push(fact)
  return fact
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
  const fact = noteStatement(facts, { text, seq, source, ...(worked && { worked }) })
  if (fact === undefined) return
  if (ends) turn.answer = fact
  else turn.step.push(fact)
}

/** Notes what the assistant thought, where its provider shows that. */
export function noteThought(facts: FactsState, text: string, seq: Seq): void {
  const fact = noteStatement(facts, { text, seq, source: 'thought' })
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

/** Whether the human's words begin by saying that what was said before is wrong or unwanted. */
function disputes(words: string): boolean {
  return DISPUTES.test(words.slice(0, 80))
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
