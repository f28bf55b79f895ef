import type { Unit } from './units.ts'
import type { StatementFact, StatementSource } from '../../../../facts/facts.ts'
import type { Facts } from '../request.ts'

/** How much a term is worth in each kind of statement. */
const WEIGHTS: Readonly<Record<StatementSource, number>> = {
  plan: 1.3,
  message: 1.2,
  answer: 1,
  asked: 1,
  remark: 0.9,
  thought: 0.6,
  comment: 0.5,
  report: 0.5,
  document: 0.4,
  instructions: 0.35,
}

/** What the human named is what the work is about. */
const WEIGHT_OF_NAMED = 0.8
/** What the human said no to, and what a newer one of its kind replaced. */
const DISPUTED = 0.5
/** Thinking that names nothing is a mood. */
const VAGUE = 0.5
/** A list of tasks that are still open says what is left to do, wherever it stands. */
const WEIGHT_OF_TASKS = 1
/** Of instructions, what is demanded or forbidden matters more than what explains it. */
const NORM = 2
/** The sentence says what is about to be done, not what was found. */
const ANNOUNCED = 0.2
/** Once the human has replied, nobody waits for what was asked or offered. */
const SETTLED = 0.25
/** Of thinking, what is considered is worth less than what is known. */
const MUSED = 0.3
/** In characters: a longer text says something beside what is about to be done. */
const SHORT = 120
/** Code can be read again where it was written to; what is said about it can't. */
const CODE = 0.6

const DEMANDS =
  /\b(?:never|always|must|do not|don['’]t|does not|not allowed|only|prefer|avoid|instead of|rather than|required?|forbidden|prohibited|before|no)\b|[❌✅]/i
/** Who gives a reason says more than what is about to be done. */
const REASON = /\b(?:because|since|instead of|rather than|so that|due to)\b/i

/** Who only looks changes nothing and has found nothing yet. */
const LOOKING =
  '(?:check|double-check|do|read|reread|re-read|look|trac|wait|inspect|runn|rerunn|re-runn|verify|search|go|start|continu|review|open|reopen|list|pull|grepp|locat|scann|explor|examin|investigat|validat|confirm|mov|digg|gett|tak|mapp|gather|fetch|compar|load|try|think|consider|wonder|proceed|work|begin|beginn|commit|push|send|finish)ing'
const LOOK =
  '(?:check|read|look|trace|follow|run|rerun|search|start|begin|go|continue|move|inspect|verify|review|open|list|scan|explore|examine|compare|load|try|wait)'

/** Where one of these follows, what was looked at has shown something. */
const SHOWS = String.raw`\b(?:is|was|are|were|has|had|shows?|showed|fails?|failed|works?|worked|means?|gives?|gave|makes?)\b`
const HOLDS = String.raw`(?:${SHOWS}|\b(?:pass(?:es|ed)?|runs?|needs?|returns?|uses?|reads?|writes?|does|can|must|will)\b)`
const ASKS = String.raw`\b(?:how|whether|if|what|where|which|why)\b`

/** A word or a short sentence in front of it: "Good catch.", "All three edits are done." */
const FIRST = String.raw`(?:[^.!?\n]{1,39}[.!?]\s{1,4})?`

const WORDS_BEFORE = String.raw`^\W{0,4}${FIRST}(?:(?:now|next|first|then|good|ok(?:ay)?|great|perfect|so|wait|actually|alright|right)\b[,!. —-]{0,4}){0,3}`
const WILL = `(?:let me(?! know)|let['’]s|I['’]ll|I need to|I should|I will|I['’]m going to|I want to)`
const ADVERBS = '(?: (?:also|now|just|still|first|quickly|then|next|start by|double-)){0,3}'

/** It says that something is going to be done. */
const ANNOUNCEMENT = new RegExp(String.raw`${WORDS_BEFORE}(?:${WILL}|next)\b`, 'i')

/** A short sentence without a subject says what is being done: "Extracting the full record." */
const DOING =
  /^\W{0,4}(?!(?:(?:no|every|any|some)thing|during|according|missing|existing|remaining|following|failing)\b)[a-z]{2,14}ing (?:the|an?|it|this|that|these|those|all|both|my|its|another)\b[^.!?\n]{0,60}[.…:]?$/i
const HOLDS_ANYTHING = new RegExp(HOLDS, 'i')

/** The same in other languages. */
const ANNOUNCED_ELSEWHERE =
  /^[^\p{L}]{0,4}(?:(?:agora|ahora|maintenant|jetzt|primeiro|primero|d['’]abord|zuerst|bây giờ|сейчас|теперь)[, ]{1,2})?(?:(?:vou|vamos|voy a|vamos a|déjame|deixe-me|je vais|nous allons|laissez-moi|ich werde|ich schaue|lass mich|tôi sẽ|để tôi|давайте|я (?:проверю|посмотрю|буду))(?![\p{L}])|让我|我来|我将|我先|接下来)/iu

/** It says that something is going to be looked at. */
const LOOKS_AT = new RegExp(
  String.raw`${WORDS_BEFORE}(?:${WILL}${ADVERBS} ?(?:${LOOK}|${LOOKING})\b|now (?:how|what|where|whether|why|to)\b|(?:now|first|then) the\b(?:[^.:\n]{1,60}: ${ASKS}|(?!.{0,120}${HOLDS}))|I(?:['’]m| am)${ADVERBS} ${LOOKING}\b|I${ADVERBS} ${LOOK}\b(?:.{0,60}${ASKS}|(?!.{0,120}${SHOWS}))|${LOOKING}\b(?!.{0,120}${SHOWS}))`,
  'i',
)

/** It asks the human what to do next, or offers something. */
const OFFERS =
  /^\W{0,4}(?:(?:if|when) you (?:want|like|prefer|wish|agree|['’]d like|would like|need)\b|let me know\b|tell me\b|just say\b|say the word\b|feel free\b|happy to\b|I can (?:also )?[^.?]{1,160} if you\b|(?:want|wanna|would you like|do you want|should I|shall I|shall we|should we|ready (?:for|to)|(?:any|anything|something) (?:else|missing|you)|(?:does|do|is|are) (?:this|that|these|those|it|you|everything)|which (?:one|approach|option|of)|what (?:do you think|would you)|how would you|can you confirm|ok(?:ay)? to|sound good|looks? good|look right|make sense|proceed|anything)\b[^.!\n]{0,300}\?\W{0,4}$)/i

/** Thinking that only weighs what might be done. */
const MUSING =
  /^\W{0,4}(?:I (?:think|might|could|may|wonder|guess|want|need|should|have to)\b|maybe\b|perhaps\b|it (?:seems|looks like|might|would|could|feels)\b|I['’]m (?:wondering|thinking|considering|planning|trying)\b|let me\b|hmm\b)/i

/** How much a statement is worth by who made it, and what became of it. */
export function weightOf(fact: StatementFact, named: (path: string) => boolean): number {
  const own = WEIGHTS[fact.source]
  const isNamed = fact.source === 'document' && fact.about !== undefined && named(fact.about)
  const tasks = fact.source === 'document' && isTaskList(fact.text)
  return (
    (tasks ? WEIGHT_OF_TASKS : isNamed ? WEIGHT_OF_NAMED : own) *
    (fact.disputedBy === undefined ? 1 : DISPUTED)
  )
}

/** What the words of a unit alone say about it, as bits. */
export const traits = {
  isLead: 1,
  isVague: 2,
  isAnnounced: 4,
  isCode: 8,
  isDemand: 16,
  isMusing: 32,
  looksAt: 64,
  isOffer: 128,
} as const

/** @param isSpecific whether there is a name or a number among its terms. */
export function traitsOf({ text, isLead }: Unit, isSpecific: boolean): number {
  const reasons = REASON.test(text)
  return (
    (isLead ? traits.isLead : 0) |
    (!isSpecific && !text.includes('`') ? traits.isVague : 0) |
    (reasons ? 0 : announced(text.slice(0, 200))) |
    (/^\s{0,12}(?:```|~~~)/.test(text) ? traits.isCode : 0) |
    (DEMANDS.test(text) ? traits.isDemand : 0) |
    (!reasons && MUSING.test(text.slice(0, 80)) ? traits.isMusing : 0) |
    (isOffer(text) ? traits.isOffer : 0)
  )
}

/** What a sentence announces, as a bit of `traits`. */
export function announced(text: string): number {
  if (ANNOUNCED_ELSEWHERE.test(text)) return traits.isAnnounced
  if (!mayAnnounce(text)) return 0
  if (LOOKS_AT.test(text)) return traits.looksAt
  if (ANNOUNCEMENT.test(text)) return traits.isAnnounced
  return DOING.test(text) && !HOLDS_ANYTHING.test(text) ? traits.isAnnounced : 0
}

/** Where a first sentence that is so short that an announcement may stand behind it ends at the latest. */
const LATEST_END = 4 + 39

/** The first word of what both patterns find, where nothing stands before it. */
const FIRST_WORD =
  /^\W{0,4}(?:let|i|now|next|first|then|good|ok(?:ay)?|great|perfect|so|wait|actually|alright|right|re|double|[a-z]{1,12}ing)\b/i

/** Almost every sentence shows at its beginning that neither pattern, which take long, can find it. */
function mayAnnounce(text: string): boolean {
  const most = Math.min(text.length - 1, LATEST_END + 1)
  for (let at = 0; at < most; at++) {
    const code = text.charCodeAt(at)
    const ends = code === 46 || code === 33 || code === 63
    if (ends && /\s/.test(text[at + 1] as string)) return true
  }
  return FIRST_WORD.test(text)
}

/** How much a unit is worth within its statement, by its traits. */
export function weightOfUnit(
  own: number,
  { source, text }: StatementFact,
  { focus, isReplied }: { focus: number; isReplied: boolean },
): number {
  if ((own & traits.looksAt) !== 0) return 0
  const settled = isReplied && isTurn(source) && (own & traits.isOffer) !== 0
  const announced = (own & traits.isAnnounced) !== 0
  // Whoever says nothing else has found nothing; the newest of them is told as what is next.
  if (announced && text.length <= SHORT) return 0
  const vague = source === 'thought' && (own & traits.isVague) !== 0
  const musing = source === 'thought' && (own & traits.isMusing) !== 0
  const code = (own & traits.isCode) !== 0
  const demand = source === 'instructions' && (own & traits.isDemand) !== 0
  return (
    focus *
    (vague ? VAGUE : 1) *
    (musing ? MUSED : 1) *
    (announced ? ANNOUNCED : 1) *
    (settled ? SETTLED : 1) *
    (code ? CODE : 1) *
    (demand ? NORM : 1)
  )
}

/** Whether a sentence asks the human what to do next, or offers something. */
export function isOffer(text: string): boolean {
  return OFFERS.test(text.slice(0, 400))
}

/** Whether the human reads it as said to them. */
function isTurn(source: StatementSource): boolean {
  return source === 'answer' || source === 'remark'
}

/** What holds until something else replaces it, however long ago it was said. */
export function holdsOn(fact: StatementFact): boolean {
  const { source, carried, text } = fact
  const lasting = source === 'plan' || source === 'instructions'
  return carried === true || lasting || (source === 'document' && isTaskList(text))
}

/** Two or more open boxes are work that is left to do. */
function isTaskList(text: string): boolean {
  return (text.match(/^\s{0,8}[-*] \[ \] /gm)?.length ?? 0) >= 2
}

/** Whether the human named a file, by its path or by its last segment. */
export function namedByHuman(facts: Facts): (path: string) => boolean {
  const words = facts.requests.map(({ text }) => text.slice(0, 20_000)).join('\n')
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.length >= 4 && words.includes(name)
  }
}
