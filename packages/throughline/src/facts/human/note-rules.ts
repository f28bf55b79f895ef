import { hasForeignLetters } from './foreign-letters.ts'
import { RULE_CUES } from './cue-rows.ts'
import { RETRACTION_CUES, type RetractionCues } from './retraction-rows.ts'
import { newestRule, rulesSharing, sameRule } from './rule-index.ts'
import { sentencesOf, type Sentence } from './sentences.ts'
import type { Facts, RuleFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/** A longer message is a document: only clear rules count in it. */
const LONG_MESSAGE = 1_200
/** The most rules of one message; more belong in a file. */
const MOST_RULES = 24
/**
 * The share of a rule's content that must occur in the words that withdraw it, and vice versa: “you
 * can see what a push prints” does not allow pushing.
 */
const LEAST_OVERLAP = 0.5
/** Pairs of characters also contain grammar. */
const LEAST_OVERLAP_OF_PAIRS = 0.34

/**
 * Adds the standing rules of a human message to the facts, and withdraws those that it takes back.
 */
export function noteRules(facts: Facts, words: string, seq: Seq): void {
  let found = 0
  for (const sentence of sentencesOf(words)) {
    const lower = sentence.text.toLowerCase().normalize('NFC')
    if (!sentence.question && retract(facts, lower, seq)) continue
    if (found >= MOST_RULES || !statesRule(sentence, lower, words.length > LONG_MESSAGE)) continue
    if (addRule(facts.rules, sentence.text, seq)) found++
  }
}

function statesRule({ question }: Sentence, lower: string, long: boolean): boolean {
  if (question) return false
  const foreign = hasForeignLetters(lower)
  return RULE_CUES.some(
    ({ ascii, clear, weak, not }) =>
      (ascii || foreign) &&
      (clear.some((cue) => cue.test(lower)) || (!long && weak.some((cue) => cue.test(lower)))) &&
      !not.some((cue) => cue.test(lower)),
  )
}

/** A repeated rule is active again and is not listed twice. */
function addRule(rules: RuleFact[], text: string, seq: Seq): boolean {
  if (sameRule(rules, text)) return false
  rules.push({ text, seq })
  return true
}

type Retraction = 'permits' | 'relieves' | 'revokes'

/** Withdraws the rule that the sentence is most about, if it withdraws one. */
function retract({ rules }: Facts, lower: string, seq: Seq): boolean {
  if (newestRule(rules) === undefined) return false
  const kind = retractionOf(lower)
  if (kind === undefined) return false
  const rule = bestMatch(rules, kind, lower)
  if (rule === undefined) return false
  rule.retractedBy = seq
  return true
}

function retractionOf(lower: string): Retraction | undefined {
  const foreign = hasForeignLetters(lower)
  for (const kind of ['revokes', 'relieves', 'permits'] as const) {
    const cue = (row: RetractionCues): boolean => (row.ascii || foreign) && row[kind].test(lower)
    if (RETRACTION_CUES.some(cue)) return kind
  }
  return undefined
}

function bestMatch(
  rules: readonly RuleFact[],
  kind: Retraction,
  lower: string,
): RuleFact | undefined {
  const said = contentWords(lower)
  if (said.size === 0) return kind === 'revokes' ? newestRule(rules) : undefined
  let best: RuleFact | undefined
  let bestScore = 0
  for (const { rule, words } of rulesSharing(rules, said, contentWords)) {
    const shared = [...words].filter((word) => said.has(word)).length
    const score =
      kind === 'revokes'
        ? shared / Math.min(words.size, said.size)
        : shared / Math.max(words.size, said.size)
    if (score < LEAST_OVERLAP_OF_PAIRS || score < bestScore) continue
    const text = rule.text.toLowerCase().normalize('NFC')
    if (kind === 'permits' && !forbids(text)) continue
    const least = isInPairs(text) ? LEAST_OVERLAP_OF_PAIRS : LEAST_OVERLAP
    if (score >= least) {
      best = rule
      bestScore = score
    }
  }
  return best
}

function forbids(text: string): boolean {
  return RULE_CUES.some((cues) => cues.forbids.test(text))
}

const STOP = new Set(
  `the and you can may now that this with for from rule rules about what said told any anymore more
  again need have has longer not never always don dont please just also but only use forget ignore
  must should will would could want to it its is are was be on in at of or so if then when before
  after every each time ever into out our your my me all own make sure without asking ask first
  restriction requirement instruction instructions constraint earlier previous okay fine free feel
  ahead drop cancel lift mind back changed does did doing done let lets like than instead
  đừng không được luôn phải hãy chỉ dùng bây giờ rồi nữa cần quy tắc điều bằng tiếng cho phép thể
  никогда всегда теперь можно можешь больше нужно надо правило про забудь только обязательно
  nunca siempre ahora puedes regla olvida más necesario hace falta solo que los las una por para
  nie immer jetzt kannst darfst nicht mehr regel vergiss bitte nur kein keine der die das und mit`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * The words of a sentence that say what it is about: without grammar, reduced to their stems.
 * Scripts without spaces are read in pairs of characters.
 */
function contentWords(sentence: string): Set<string> {
  const words = new Set<string>()
  const text = sentence.toLowerCase().normalize('NFC')
  for (const [run] of text.matchAll(/[\p{L}\p{N}_./@-]{2,60}/gu)) {
    if (isInPairs(run)) addPairs(run, words)
    else addWord(run, words)
  }
  return words
}

/** Whether a text is in a script whose words are read in pairs of characters. */
function isInPairs(text: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(text)
}

function addWord(run: string, words: Set<string>): void {
  const word = stem(run.replace(/^[_./@-]+|[_./@-]+$/g, ''))
  if (word.length >= 2 && !STOP.has(word) && !STOP.has(run)) words.add(word)
}

function addPairs(run: string, words: Set<string>): void {
  for (const [latin] of run.matchAll(/[a-z0-9_.-]{2,40}/g)) addWord(latin, words)
  const characters = [...run.replace(/[a-z0-9_./@-]/g, ' ')]
  for (let at = 0; at + 1 < characters.length; at++) {
    const pair = `${characters[at]}${characters[at + 1]}`
    if (!pair.includes(' ') && !/^\p{Script=Hiragana}+$/u.test(pair)) words.add(pair)
  }
}

/** `pushing`, `pushed` and `pushes` are `push`; `commits` and `committing` are `commit`. */
function stem(word: string): string {
  if (word.length < 5)
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss')
      ? word.slice(0, -1)
      : word
  const bare = word.replace(/(?:ing|ed|es|s)$/, '')
  if (bare.length < 3 || bare === word) return word
  const doubled = bare.at(-1) === bare.at(-2) && /[bdgmnprt]$/.test(bare)
  return doubled ? bare.slice(0, -1) : bare
}
