import { RULE_CUES } from './cue-rows.ts'
import { newestRule, rulesSharing, sameRule } from './rule-index.ts'
import { changesOfMind, isBareTongue } from './change-of-mind.ts'
import { isOwnWord, supposes, withoutQuotations, type Said } from './own-word.ts'
import { addLater, noteLater, noteLoose, withdraw } from './withdraw.ts'
import { asksAlways, hasStandingForm } from './demands/standing-form.ts'
import { asksForGood, isPlain, restricts, takesBack, type TakeBack } from './demands/demands.ts'
import { contentWords, isInPairs } from './content-words.ts'
import { ownText } from '../own-text.ts'
import { labeled, unlabeled, type Speaker } from '../../log/speaker.ts'
import { sentencesOf, type Sentence } from './sentences.ts'
import type { Facts, RuleFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/** How a language withdraws a rule. Tested on single sentences in lower case. */
interface RetractionCues {
  language: string
  /** The language can be written in English letters alone. */
  ascii: boolean
  /** Something forbidden is allowed: “you can push now”. */
  permits: RegExp
  /** Something demanded is no longer demanded: “you don't have to run the tests any more”. */
  relieves: RegExp
  /** The rule itself is withdrawn: “forget the rule about …”. */
  revokes: RegExp
}

const RETRACTION_CUES: readonly RetractionCues[] = [
  {
    language: 'en',
    ascii: true,
    permits:
      /\byou (?:can|may|could|are allowed to|'re allowed to)\b|\b(?:it'?s|it is|that'?s) (?:now )?(?:ok|okay|fine|alright|allowed) (?:now )?(?:to|if)\b|\bfeel free to\b|\bgo ahead and\b|\b(?:is|are) (?:now |again )?(?:allowed|fine|ok)\b/,
    relieves:
      /\bno longer (?:need|have|has|must|required|necessary|want|care|applies)|\b(?:don't|do not|dont|don’t|doesn't|needn't) (?:need|have)? ?to\b.*\b(?:any ?more|any longer|now|from now on)\b|\b(?:not|isn't) (?:necessary|needed|required) (?:any ?more|any longer|now)\b|^(?:ok,? |and )?stop (?:always )?\w+ing\b/,
    revokes:
      /\b(?:forget|ignore|disregard|drop|cancel|lift|scrap|scratch|remove|undo) (?:about )?(?:the|that|this|my|what i|all)\b.{0,60}\b(?:rules?|restrictions?|requirements?|constraints?|instructions?|said|told|asked|about)\b|\bnever ?mind (?:the|that|my|about|what i)\b|\b(?:rule|restriction|requirement|constraint)s?\b.{0,60}\b(?:lifted|gone|void|off|no longer|obsolete|doesn't apply|does not apply)\b|\bi (?:take|took) (?:it|that|this) back\b|\b(?:i|we)(?:['’]ll)? (?:take|took) back (?:the|that|my|our|what)\b/,
  },
  {
    language: 'vi',
    ascii: false,
    permits:
      /(?<!\p{L})(?:bây giờ|giờ|từ giờ)(?!\p{L}).{0,40}(?:được|có thể|cho phép)|(?<!\p{L})(?<!(?:không|chưa|chẳng) )(?:có thể|được phép|cho phép|được)(?!\p{L}).{0,60}(?:rồi|bây giờ|nhé|nha|cũng được|được rồi)[.!]?$/u,
    relieves:
      /(?<!\p{L})(?:không cần|khỏi|không phải|thôi không)(?!\p{L}).{0,80}nữa|(?<!\p{L})khỏi cần/u,
    revokes:
      /(?<!\p{L})(?:bỏ|quên|bỏ qua|hủy|huỷ|gỡ)(?!\p{L}).{0,10}(?:quy tắc|luật|yêu cầu|điều|lời|cái|hạn chế|quy định)/u,
  },
  {
    language: 'zh',
    ascii: false,
    permits: /(?:现在|今后|以后)?(?:可以|能|允许).{0,30}了|现在(?:可以|能|允许)/,
    relieves:
      /(?:不用|不必|不需要|无需|不再需要).{0,20}(?:再|了)|不再(?:需要|必须|要求)|(?:不用|不必|不需要|无需)再/,
    revokes:
      /(?:忽略|忘(?:掉|了|记)|取消|撤销|解除|废除|去掉).{0,20}(?:规则|限制|要求|之前|前面|刚才|我说|规定)|作废/,
  },
  {
    language: 'ja',
    ascii: false,
    permits: /(?:ても|でも|で)(?:いい|よい|良い|構|かまわ|大丈夫|OK|ok)|解禁|許可します/,
    relieves:
      /(?:必要は|必要も)(?:もう)?(?:な|あり)|(?:なくて|しなくて)(?:も)?(?:いい|よい|良い|大丈夫|構)|不要(?:に|です)/,
    revokes:
      /(?:ルール|指示|制限|規則|さっき|先ほど|前の|前に言った).{0,24}(?:忘れ|無視|取り消|撤回|解除|なし|やめ)/,
  },
  {
    language: 'ko',
    ascii: false,
    permits:
      /(?:해도|써도|하셔도|사용해도|올려도|고쳐도|어도|아도)\s?(?:돼|됩니다|된다|되|괜찮|좋)|허용/,
    relieves:
      /(?:더\s?이상|이제).{0,30}(?:필요\s?없|안\s?해도|않아도)|(?:안\s?해도|지\s?않아도)\s?(?:돼|됩|된|괜찮)/,
    revokes: /(?:규칙|지시|제한|요구|아까|말한).{0,20}(?:잊|무시|취소|철회|해제)/,
  },
]

/** A longer message is a document: only clear rules count in it … */
const LONG_MESSAGE = 1_200
/** … unless it speaks to the agent throughout, as instructions do. */
const LEAST_ADDRESSED = 3

const addressing =
  /(?<!\p{L})(?:you|your|vous|votre|vos|tu|você|usted|tú|du|dein|deine|deinen|jij|jouw|ты|вы|твой|ти|ви|bạn)(?!\p{L})|[你您]/giu

function isDocument(words: string): boolean {
  if (words.length <= LONG_MESSAGE) return false
  let addressed = 0
  for (const _ of words.matchAll(addressing)) {
    addressed += 1
    if (addressed >= LEAST_ADDRESSED) return false
  }
  return true
}
/**
 * The share of a rule's content that must occur in the words that withdraw it, and vice versa: “you
 * can see what a push prints” does not allow pushing.
 */
const LEAST_OVERLAP = 0.5
/** Pairs of characters also contain grammar. */
const LEAST_OVERLAP_OF_PAIRS = 0.34

/**
 * Adds the standing rules of a human message to the facts, and withdraws those that it takes back.
 * Where several people speak, the owner's words change any rule, and another's only their own.
 */
export function noteRules(facts: Facts, words: string, seq: Seq, speaker?: Speaker): void {
  const by = speaker?.isOwner === false ? speaker.id : undefined
  const rules = by === undefined ? facts.rules : facts.rules.filter((rule) => rule.by === by)
  const add = (text: string): void => {
    const rule: RuleFact = { text: ownText(text), seq, ...(by !== undefined && { by }) }
    facts.rules.push(rule)
    if (rules !== facts.rules) rules.push(rule)
  }
  const changes = changesOfMind(rules, seq, {
    before: facts.requests.findLast((request) => request.seq < seq)?.text,
    isRule: (said) => statesRule({ text: said, question: false }, said, false),
  })
  const long = isDocument(words)
  for (const sentence of sentencesOf(words)) {
    const lower = spoken(sentence.text)
    const text = labeled(sentence.text, speaker)
    // What is said once more takes nothing back, least of all itself.
    if (sentence.question || sameRule(rules, text)) continue
    const said = { text, lower: withoutQuotations(lower) }
    const named = changes.named(said)
    if (named === 'taken back') continue
    const supposed = supposes(lower)
    // Where there is no rule, nothing takes one back.
    const kind = rules.length === 0 ? undefined : retractionOf(said.lower)
    if (!named && !supposed && retract(rules, said, kind, seq)) {
      if (restricts(lower)) add(text)
      continue
    }
    const changed = named ?? (supposed ? undefined : changes.turned(said))
    const lifts = kind !== undefined
    const mayTakeBack = lifts || changing.test(lower)
    const isRule = changed === 'replaced' || statesRule(sentence, lower, long)
    // A permission or a relief belongs to the rule next to it.
    const isNoted = (!isRule || (lifts && !restricts(lower))) && changed !== 'replaced'
    if (isNoted && noteLater(rules, { text, lower, mayTakeBack, seq })) continue
    // A repeated rule is active again and is not listed twice.
    if (isRule && !sameRule(rules, text)) add(text)
    else if (!isRule && mayMeanRule(said, kind)) noteLoose(rules, said, seq)
  }
}

/**
 * Whether a sentence says that some rule no longer holds. What it allows may be anything; what it
 * relieves of, takes back or names as a rule is not.
 */
function mayMeanRule({ lower }: Said, kind: TakeBack | undefined): boolean {
  return (
    kind === 'revokes' ||
    kind === 'relieves' ||
    /\b(?:forget|ignore|drop|skip) (?:the )?rules?\b/.test(lower)
  )
}

/** Tells of a change, of whatever. */
const changing =
  /\p{L} (?:ok|okay)[.!]*$|\b(?:switch(?:ed)? to|after all|fair game|drop (?:it|that)|(?:isn['’]?t|aren['’]?t|not) (?:needed|necessary)|take back|take that back|again|instead|anymore)\b/u

/** What is said, without the name of who says it where several people speak. */
function spoken(text: string): string {
  return unlabeled(text).toLowerCase().normalize('NFC')
}

/** More of them would only fill a summary. */
const mostQuoted = 8
/** Texts of files are long: the beginning is enough to recognize one. */
const mostSentences = 200

/** Notes what reads like a rule, where it is not surely the human's. */
export function noteQuoted(facts: Facts, words: string, seq: Seq): void {
  if (words === '') return
  const quoted = (facts.quoted ??= [])
  const long = isDocument(words)
  for (const sentence of sentencesOf(words).slice(0, mostSentences)) {
    const lower = spoken(sentence.text)
    if (!statesRule(sentence, lower, long)) continue
    if (quoted.some(({ text }) => text === sentence.text)) continue
    quoted.push({ text: ownText(sentence.text), seq })
    if (quoted.length > mostQuoted) quoted.shift()
  }
}

/** Thanks and praise before the first comma; what follows may still be a demand. */
const thanks =
  /^\W*(?:thanks|thx|thank you|ty|perfect|great|danke|merci|gracias|grazie|obrigad[oa]|спасибо|дякую|dzięki|dziękuję|bedankt|dank je|tack|takk|kiitos|teşekkür\p{L}*|sağ ol|धन्यवाद|शुक्रिया|cảm ơn|cám ơn|terima kasih|شكرا|תודה|谢谢|ありがとう|고마워|감사)(?!\p{L})[^,;:–—]*(?:[,;:–—]\s*|$)/u
/** “Thanks, you always find these.” */
const praised = /^(?:you|du|tu|ti|ти|ты|ви|вы|você|em|anh|bạn|आप|sen|siz)(?!\p{L})/u

/** “He said that we should never …”, “the docs say …”: not “I told you …”, nor “as Bob said, …”. */
const reported =
  /^(?:(?:and|but|so|well|also|yesterday|today)[, ]+)*(?!(?:i|we|you|as|like|if|when|remember|note)\b)(?:[\p{L}\p{N}'’-]+ ){1,4}(?<!(?:^|[ ,])(?:i|we|you|just|already|have) )(?:said|says?(?= (?:that|to|you|we|i|it|never|always|not|do)\b)|told (?:me|us|him|her|them)|thinks|thought|claim(?:s|ed)|believe[sd]|wrote|complain(?:s|ed)|argue[sd]|insist(?:s|ed)|suggest(?:s|ed))\b(?!,)/u

function statesRule({ question }: Sentence, whole: string, long: boolean): boolean {
  const lower = whole.replace(thanks, '')
  if (question || (lower !== whole && praised.test(lower)) || reported.test(lower)) return false
  if (asksAlways(lower) || isBareTongue(lower)) return true
  if (!long && (asksForGood(lower) || hasStandingForm(lower))) return true
  const foreign = hasForeignLetters(lower)
  return RULE_CUES.some(
    ({ ascii, clear, weak, not }) =>
      (ascii || foreign) &&
      (clear.some((cue) => cue.test(lower)) || (!long && weak.some((cue) => cue.test(lower)))) &&
      !not.some((cue) => cue.test(lower)),
  )
}

/** Withdraws the rule that the sentence is most about, if it withdraws one. */
function retract(
  rules: readonly RuleFact[],
  { text, lower }: Said,
  kind: TakeBack | undefined,
  seq: Seq,
): boolean {
  if (kind === undefined || newestRule(rules) === undefined || !isSure(lower)) return false
  const rule =
    kind === 'permits'
      ? (bestMatch(rules, kind, permission(lower)) ?? endedRule(rules, lower))
      : bestMatch(rules, kind, lower)
  if (rule === undefined) return false
  const change = hasOtherDemand(rule.text, lower) ? addLater : withdraw
  change(rule, text, seq)
  return true
}

/** Whether a rule asks for something else, too: one of several demands may be taken back alone. */
function hasOtherDemand(rule: string, said: string): boolean {
  const about = contentWords(said)
  return spoken(rule)
    .split(/[,;]/)
    .some(
      (clause) =>
        statesRule({ text: clause, question: false }, clause.trim(), false) &&
        ![...contentWords(clause)].some((word) => about.has(word)),
    )
}

/** Of what words of other languages seem to take back, only plain sentences surely do. */
function isSure(lower: string): boolean {
  return cuedRetraction(lower) !== undefined || isPlain(lower)
}

function retractionOf(lower: string): TakeBack | undefined {
  return cuedRetraction(lower) ?? takesBack(lower)
}

function cuedRetraction(lower: string): TakeBack | undefined {
  const foreign = hasForeignLetters(lower)
  for (const kind of ['revokes', 'relieves', 'permits'] as const) {
    const cue = (row: RetractionCues): boolean =>
      (row.ascii || foreign) && isSaidSo(row[kind].exec(lower), kind, lower)
    if (RETRACTION_CUES.some(cue)) return kind
  }
  return undefined
}

/** Whether the human says this, and neither denies it nor tells of somebody who says it. */
function isSaidSo(found: RegExpExecArray | null, kind: TakeBack, lower: string): boolean {
  if (found === null) return false
  const before = lower.slice(0, found.index)
  if (!isOwnWord(before)) return false
  if (kind !== 'permits' || !/[a-z]/.test(found[0])) return true
  return introduces.test(before) && !denied.test(lower.slice(found.index + found[0].length))
}

/** A permission begins its clause: “Add a button so that you can …” is none. */
const introduces =
  /(?:^|[,.;:!—–-])\s*(?:(?:ok(?:ay)?|yes|yeah|sure|so|and|but|now|then|again|today|actually|also|this time|for now|from now on|of course)[,!.]* +)*(?:(?:for|in|on|with|except) (?:\S+ ){1,3})?(?:\S+ ){0,3}$/

/** “You may not …”, “You can by no means …”. */
const denied = /^(?:['’]t\b|\W*(?:\w+ ){0,2}(?:not|never|no|hardly)\b)/

/** The part of a sentence that allows something: what follows may be the condition. */
function permission(lower: string): string {
  return lower.split(/[,;，；]/).find((clause) => retractionOf(clause) === 'permits') ?? lower
}

function bestMatch(
  rules: readonly RuleFact[],
  kind: TakeBack,
  lower: string,
): RuleFact | undefined {
  const said = contentWords(lower)
  if (said.size === 0) return kind === 'revokes' ? newestRule(rules) : undefined
  let best: RuleFact | undefined
  let bestScore = 0
  for (const { rule, words } of rulesSharing(rules, said, contentWords)) {
    const score = scoreOf(rule, { words, said, kind })
    if (score < LEAST_OVERLAP_OF_PAIRS || score < bestScore) continue
    const text = spoken(rule.text)
    if (kind === 'permits' && !forbids(text)) continue
    const least = isInPairs(text) ? LEAST_OVERLAP_OF_PAIRS : LEAST_OVERLAP
    if (score >= least) {
      best = rule
      bestScore = score
    }
  }
  return best
}

/** How much of a rule is what the sentence speaks of. */
function scoreOf(
  { text }: RuleFact,
  { words, said, kind }: { words: ReadonlySet<string>; said: ReadonlySet<string>; kind: TakeBack },
): number {
  const sharedOf = (some: ReadonlySet<string>): number =>
    [...some].filter((word) => said.has(word)).length
  if (kind === 'revokes') return sharedOf(words) / Math.min(words.size, said.size)
  if (kind === 'relieves') return sharedOf(words) / Math.max(words.size, said.size)
  return lifts(said, spoken(text))
    ? Math.max(LEAST_OVERLAP, sharedOf(words) / Math.max(words.size, said.size))
    : 0
}

/**
 * Whether what is allowed is all that was forbidden: who may send mail to Tom may not send it to
 * everybody. What is forbidden stands in the first clause; a reason or a condition may follow.
 */
function lifts(said: ReadonlySet<string>, rule: string): boolean {
  const [demand = ''] = rule.split(endOfDemand, 1)
  const asked = [...contentWords(demand)]
  const isSaid = (word: string): boolean => [...said].some((other) => isAlike(word, other))
  if (isInPairs(demand)) return liftsInPairs(said, demand)
  const known = [...contentWords(rule)]
  if (![...said].every((word) => known.some((one) => isAlike(word, one)))) return false
  if (asked.every(isSaid)) return true
  // “Prices are fine”: only what the rule is about, and not a part of what it says.
  const [verb = ''] = asked
  const object = asked.at(-1) ?? ''
  return !isSaid(verb) && isSaid(object)
}

/** Of each word in Han or Katakana something must be said, and enough of the whole. */
function liftsInPairs(said: ReadonlySet<string>, demand: string): boolean {
  const pairs = contentWords(demand)
  const shared = [...pairs].filter((pair) => said.has(pair)).length
  if (shared / Math.max(pairs.size, said.size) < LEAST_OVERLAP_OF_PAIRS) return false
  const all = [...said].join('')
  const runs = demand.match(/[\p{Script=Katakana}ー]+|\p{Script=Han}+/gu) ?? []
  return runs.every((run) => [...run].some((letter) => all.includes(letter)))
}

/** Forms of one word begin alike. */
function isAlike(one: string, other: string): boolean {
  const least = Math.max(3, Math.min(one.length, other.length) - 1)
  return one === other || (one.length >= least && one.slice(0, least) === other.slice(0, least))
}

/** The human said how long the rule holds, and says now that this has come. */
function endedRule(rules: readonly RuleFact[], lower: string): RuleFact | undefined {
  const said = contentWords(lower)
  return rulesSharing(rules, said, contentWords).findLast(({ rule: { text } }) => {
    const plain = spoken(text)
    const [, end = ''] = plain.split(until)
    const condition = [...contentWords(end)]
    const met = condition.filter((word) => said.has(word)).length
    return condition.length > 1 && met / condition.length > LEAST_OVERLAP && forbids(plain)
  })?.rule
}

const until =
  / (?:until|till|hasta|bis|jusqu['’]|finché|até|totdat|tills|dopóki|dokud|până|до тех пор|поки|пока)(?: |(?=[\p{L}]))/u
const endOfDemand = new RegExp(
  `[,;:—]|${until.source}| (?:without|sans|ohne|sin|senza|sem|zonder|utan|uten|bez|без|fără|tanpa|χωρίς) `,
  'u',
)

function forbids(text: string): boolean {
  return asksForGood(text) || RULE_CUES.some((cues) => cues.forbids.test(text))
}

/** Whether a text has letters beyond those of English; typographic marks and arrows don't count. */
function hasForeignLetters(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xc0 && (code < 0x2000 || code >= 0x3040) && code < 0xd800) return true
  }
  return false
}
