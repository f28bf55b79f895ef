import { contentWords, isInPairs } from './content-words.ts'
import { forgets, pointing, tongues, writes } from './demands/languages.ts'
import { isOwnWord, type Said } from './own-word.ts'
import { addLater, withdraw } from './withdraw.ts'
import { RULE_CUES } from './cue-rows.ts'
import { unlabeled } from '../../log/speaker.ts'
import type { RuleFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/** What a sentence does to the rules in force. */
type Change =
  /** It is the rule that holds instead of another. */
  | 'replaced'
  /** It only says that a rule no longer holds. */
  | 'taken back'

/** Reads the sentences of one human message, in order. `undefined` where one changes no rule. */
export interface ChangesOfMind {
  /** The sentence names what it changes: “I changed my mind about X”, “scratch that”. */
  named: (said: Said) => Change | undefined
  /** The sentence asks for the opposite of a rule: “from now on, do X”. */
  turned: (said: Said) => Change | undefined
}

const spoken = String.raw`(?:(?:no|wait|ok(?:ay)?|hm+|oh|so|and|but|actually|sorry)[,.!—–-]* +)*`

/** “I changed my mind about X”: the rules about X no longer hold. */
const topicOf: readonly RegExp[] = [
  /\bchanged (?:my|our) minds? (?:about|on|regarding|when it comes to) ([^:;,.!?—–]{2,60})/,
  /\b(?:forget|ignore|disregard|scratch|drop|scrap) what (?:i|we) (?:said|told you|asked|wrote|wanted) (?:about|on|regarding) ([^:;,.!?—–]{2,60})/,
  /(?<!\p{L})(?:meine meinung (?:zu[rm]?|über)|was ich (?:zu[rm]?|über)) ([^:;,.!?—–]{2,40}?)(?: (?:geändert|gesagt)|$)/u,
  /(?<!\p{L})(?:cambié|he cambiado|cambiamos) de (?:opinión|idea) (?:sobre|con|respecto a) ([^:;,.!?—–]{2,60})/u,
  /(?<!\p{L})changé d['’]avis (?:sur|pour|à propos d(?:e|es|u)) ([^:;,.!?—–]{2,60})/u,
  /(?<!\p{L})cambiato idea (?:su|sul|sulla|sui|sulle) ([^:;,.!?—–]{2,60})/u,
  /(?<!\p{L})mudei de ideia (?:sobre|quanto a) ([^:;,.!?—–]{2,60})/u,
  /(?<!\p{L})(?:передумал|передумала|передумали) (?:насчёт|насчет|про|о|об) ([^:;,.!?—–]{2,60})/u,
  /(?<!\p{L})đổi ý (?:về|chuyện) ([^:;,.!?—–]{2,60})/u,
]

const opening = new RegExp(String.raw`^${spoken}(?:about )?`)

/** What a sentence that begins with “forget” wants forgotten, and what follows. */
function forgotten(lower: string): { what: string; rest: string } | undefined {
  const said = lower.replace(opening, '')
  const [, joinedRest] = /^(?:算了|刚才说的不算|不对)[，,。 ]*(.*)$/.exec(said) ?? []
  if (joinedRest !== undefined) return { what: '', rest: joinedRest.trim() }
  const [clause = ''] = said.split(/[,.;:!—–]| - | and /, 1)
  const [verb = '', ...object] = clause.split(/[\s'’]+/).filter(Boolean)
  if (object.length === 0 || !forgets.some((stem) => verb.startsWith(stem))) return undefined
  const isPointing = object.every((word) => pointing.includes(word) || /^(?:rule|one)$/.test(word))
  return {
    what: isPointing ? '' : object.join(' '),
    rest: said.slice(clause.length).replace(/^[\s,.;:!—–-]+(?:and )?/, ''),
  }
}

/** “No longer use X”: the rules that ask for X no longer hold. */
const endOf: readonly RegExp[] = [
  new RegExp(String.raw`^${spoken}(?:please )?no longer ([^:;,.!?—–]{2,60})`),
  new RegExp(
    String.raw`^${spoken}(?:please )?(?:do not|don['’]?t|never) ([^:;,.!?—–]{2,60}?) any ?(?:more|longer)\b`,
  ),
  new RegExp(
    String.raw`^${spoken}(?:you (?:can|may|should) )?(?:please )?(?:stop|quit) (\w{2,20}ing [^:;,.!?—–]{2,60})`,
  ),
]

/** Says that things are to be otherwise from here on. */
const turns: readonly RegExp[] = [
  /\bfrom now on\b|\bfrom here on\b|\bgoing forward\b|\bchanged (?:my|our) minds?\b|\bon second thoughts?\b|\bno longer\b|\banymore\b|\bany more\b|\bnew rule\b/,
  new RegExp(
    String.raw`^${spoken}(?:actually|doch|en fait|pensándolo|de hecho|ripensandoci)(?!\p{L})`,
    'u',
  ),
  /(?<!\p{L})(?:ab jetzt|ab sofort|von nun an|doch wieder|anders überlegt|nicht mehr)(?!\p{L})/u,
  /(?<!\p{L})(?:a partir de ahora|de ahora en adelante|cambi(?:é|ado) de (?:opinión|idea)|mejor|ya no)(?!\p{L})/u,
  /(?<!\p{L})(?:désormais|dorénavant|à partir de maintenant|changé d['’]avis|finalement)(?!\p{L})/u,
  /(?<!\p{L})(?:d'ora in poi|da ora in poi|cambiato idea)(?!\p{L})/u,
  /^(?:\S+ ){0,2}(?:ne [^.]{0,20} plus|non [^.]{0,20} più)(?!\p{L})/u,
  /(?<!\p{L})(?:a partir de agora|daqui em diante|mudei de ideia)(?!\p{L})/u,
  /(?<!\p{L})(?:теперь|отныне|впредь|передумала?|больше не)(?!\p{L})/u,
  /(?<!\p{L})(?:từ giờ|từ nay|từ bây giờ|đổi ý)(?!\p{L})/u,
  /从现在(?:开始|起)|从今以后|今后|以后|改主意|改用|改成|算了|还是|改为|不再|これから|今後|やっぱり|気が変わ|이제부터|앞으로|생각이 바뀌/,
]

/** Prefers one thing to another, which may hold for one place alone. */
const compares =
  /\binstead\b|\brather than\b|(?<!\p{L})(?:stattdessen|(?:an)?statt|en su lugar|en (?:vez|lugar) de|au lieu d(?:e|es|u)|plutôt|invece|em vez d(?:e|isso)|вместо|thay vào đó|thay vì)(?!\p{L})|代わりに|대신/u

/** Sets what is not to be done apart from what is. */
const negators =
  /\b(?:do not|don['’]?t|does not|doesn['’]?t|must not|mustn['’]?t|should not|shouldn['’]?t|cannot|can['’]?t|not|never|no|without|avoid|stop|instead of|rather than|no longer|in place of)\b|(?<!\p{L})(?:nicht|nie|niemals|keine?[nmrs]?|statt|anstatt|ohne|no|nunca|jamás|sin|en vez de|en lugar de|ne|pas|jamais|sans|au lieu d(?:e|u|es)|non|mai|senza|invece di|não|sem|em vez de|не|никогда|нельзя|вместо|без|không|đừng|chớ|thay vì)(?!\p{L})/u

/** What a sentence asks for, and what it asks not to do. */
interface Poles {
  wanted: ReadonlySet<string>
  unwanted: ReadonlySet<string>
  /** “Do write them”: its object is what a ban was about. */
  isPointing: boolean
  /** It speaks of a place, a tool or a person, too. */
  isPlaced: boolean
  /** What it asks for holds for this alone: “push to the fork”. */
  places: ReadonlySet<string>
}

/** “Do delete it” lifts a ban; “Delete it” may be about a thing that was never banned. */
const emphatic = /\bdo \p{L}+ (?:them|it|those|these)\b/u
const english = /\b(?:them|it|those|these)\b/
const pronouns =
  /\b(?:them|it|those|these)\b|(?<!\p{L})(?:sie|welche|les|las|los|li|le|их|它们?)(?!\p{L})/u
const prepositions =
  /\b(?:to|on|in|into|from|at|with|for|of|by)\b|(?<!\p{L})(?:in|auf|nach|mit|von|für|à|au|aux|dans|sur|avec|en|a|al|con|para|su|nel|в|на|для|с)(?!\p{L})/u

const clauses = /[,;:.!?—–()]+|\b(?:but|and then|aber|pero|mais|ma|mas|но|nhưng)\b/u

/** What follows says when something is to be done, and is not what is asked for. */
const conditions =
  /\b(?:before|after|when|whenever|unless|until|if|once|while|bevor|nachdem|wenn|sobald|cuando|antes|después|quand|avant|après|quando|prima|dopo|depois|перед|после|когда|если|khi|trước|sau)\b/u

function polesOf(lower: string): Poles {
  if (isInPairs(lower)) {
    const words = contentWords(lower)
    const forbids = RULE_CUES.some((cues) => cues.forbids.test(lower))
    const none = new Set<string>()
    const rest = { isPointing: false, isPlaced: true, places: none }
    return forbids
      ? { wanted: none, unwanted: words, ...rest }
      : { wanted: words, unwanted: none, ...rest }
  }
  const wanted: string[] = []
  const unwanted: string[] = []
  const places: string[] = []
  for (const whole of lower.split(clauses)) {
    const [clause = ''] = whole.split(conditions, 1)
    const [asked = '', ...not] = clause.split(negators)
    wanted.push(...contentWords(asked))
    const [, ...placed] = asked.split(prepositions)
    places.push(...placed.flatMap((each) => [...contentWords(each)]))
    unwanted.push(...not.flatMap((each) => [...contentWords(each)]))
  }
  const isPlaced = prepositions.test(lower)
  const isElsewhere = english.test(lower) || isPlaced
  const isPointing = emphatic.test(lower) || (!isElsewhere && pronouns.test(lower))
  return {
    wanted: new Set(wanted),
    unwanted: new Set(unwanted),
    isPointing,
    isPlaced,
    places: new Set(places),
  }
}

/** Of a demand, what it is about comes first: its verb and its object. */
const subjectWords = 2

/** Whether a newer sentence says the opposite of a rule, for all that the rule is about. */
function contradicts(newer: Poles, older: Poles): boolean {
  const [banned] = older.unwanted
  const banLifted =
    banned !== undefined &&
    // “Push it to the fork” after “Never push” is an exception.
    ((isWithin(older.unwanted, newer.wanted) && isWithin(newer.places, older.unwanted)) ||
      // “Do write them” after “Do not write tests”.
      (newer.isPointing && !older.isPlaced && newer.wanted.has(banned)))
  const subject = new Set([...older.wanted].slice(0, subjectWords))
  const demandLifted = subject.size > 0 && isWithin(subject, newer.unwanted)
  // “Use npm, not pnpm” after “Use pnpm, not npm”.
  const swapped = sharesAny(newer.wanted, older.unwanted) && sharesAny(newer.unwanted, older.wanted)
  return banLifted || demandLifted || swapped
}

// Pairs of characters also hold grammar: half of them are enough.
const enoughPairs = 0.5

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  const shared = [...some].filter((word) => all.has(word)).length
  return shared >= some.size * (isInPairs([...some].join('')) ? enoughPairs : 1)
}

function sharesAny(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((word) => others.has(word))
}

const inLetters =
  /\b(?:english|vietnamese|chinese|japanese|korean|russian|spanish|german|french|italian|portuguese|polish|dutch|turkish|arabic|hindi|thai|indonesian|ukrainian|czech|swedish)\b|[中英日韩俄法德][文语語]|(?:日本|中国|韓国)語|(?:한국|영|일본|중국)어/
const speaks =
  /^(?:reply|respond|answer|write|speak|talk|communicate|comment|explain)|[答复写说書話답써말]/

/** The language that a sentence asks for, and what is to be in it, where it says that. */
function tongueIn(lower: string): { tongue: string; of: ReadonlySet<string> } | undefined {
  const found = lower.match(/[\p{L}\p{M}]+/gu) ?? []
  const isVerb = (word: string): boolean =>
    speaks.test(word) || writes.some((stem) => word.startsWith(stem))
  const tongue = inLetters.exec(lower)?.[0] ?? found.find((word) => tongues.includes(word))
  if (tongue === undefined || !(found.some(isVerb) || isBareTongue(lower))) return undefined
  const other = found.filter((word) => word !== tongue && !isVerb(word))
  return { tongue, of: contentWords(other.join(' ')) }
}

/** “English please.” */
export function isBareTongue(lower: string): boolean {
  const found = lower.match(/[\p{L}\p{M}]+/gu) ?? []
  if (found.length < 2 || found.length > 4) return false
  // Shorter ones are verbs, by which some languages ask for a language.
  const isTongue = (word: string): boolean => word.length > 5 && tongues.includes(word)
  const tongue = inLetters.exec(lower)?.[0] ?? found.find(isTongue)
  const other = found.filter((word) => word !== tongue)
  return tongue !== undefined && contentWords(other.join(' ')).size === 0
}

/** A request for the same in another language replaces the earlier one. */
function asksForOtherLanguage(newer: string, older: string): boolean {
  const [asked, before] = [tongueIn(newer), tongueIn(older)]
  if (!asked || !before || asked.tongue === before.tongue) return false
  return pronouns.test(newer) || isWithin(before.of, asked.of)
}

/** What surrounds the sentences of a message. */
interface Around {
  /** All of the human's message before, if there was one. */
  before: string | undefined
  isRule: (text: string) => boolean
}

/**
 * Finds out which rules the human changes, sentence by sentence of one message. Only what is sure
 * changes a rule: of two that merely sound alike both stay, and the newer one is listed last.
 */
export function changesOfMind(
  rules: readonly RuleFact[],
  seq: Seq,
  { before = '', isRule }: Around,
): ChangesOfMind {
  let topic: ReadonlySet<string> | undefined
  const inForce = (): RuleFact[] =>
    rules.filter(({ retractedBy }) => retractedBy === undefined).slice(-mostCompared)
  const takeBack = (
    changed: readonly RuleFact[],
    words: string,
    isWhole: (rule: RuleFact) => boolean,
  ): void => {
    for (const rule of changed) (isWhole(rule) ? withdraw : addLater)(rule, words, seq)
  }
  return {
    named({ text: words, lower }) {
      const found = foundBy(topicOf, lower)
      const ended = found ? undefined : foundBy(endOf, lower)
      if (found) topic = contentWords(found.topic)
      const dismissed = found || ended ? undefined : forgotten(lower)
      const about = found
        ? rulesAbout(inForce(), topic)
        : ended
          ? rulesAskingFor(inForce(), contentWords(ended.topic))
          : dismissed?.what === ''
            ? lastRule(inForce(), lower, {
                seq,
                before,
                ...dismissed,
                isReplaced: isRule(dismissed.rest),
              })
            : rulesHolding(inForce(), dismissed?.what ?? '')
      const subject = contentWords((found ?? ended)?.topic ?? dismissed?.what ?? '')
      const isWhole = ({ text }: RuleFact): boolean => !asksForMore(text, subject)
      takeBack(about, words, isWhole)
      if (about.length === 0) return undefined
      // “No longer use tabs” is a rule itself.
      if (ended) return 'replaced'
      // Words that only name the rule ask for nothing in its place.
      const rest = contentWords(found?.rest ?? dismissed?.rest ?? '')
      return rest.size > 0 || !about.every(isWhole) ? 'replaced' : 'taken back'
    },
    turned({ text: words, lower }) {
      const known = inForce()
      if (known.length === 0) return undefined
      const turn =
        turns.some((sign) => sign.test(lower)) ||
        isOnTopic(lower, topic) ||
        isBareTongue(lower) ||
        forgotten(lower)?.what === ''
      const prefers = compares.test(lower)
      const newer = polesOf(lower)
      const isChange = (part: string): boolean =>
        turn || prefers
          ? isOpposite(lower, newer, part) && (turn || saysNoMore(lower, part))
          : isSwap(newer, polesOf(part))
      const opposed =
        turn || prefers || maySwap(newer)
          ? known.filter(({ text }) => partsOf(text).some(isChange))
          : []
      takeBack(opposed, words, ({ text }) => partsOf(text).length === 1)
      return opposed.length > 0 ? 'replaced' : undefined
    },
  }
}

// With more rules than this, words that fit many of them do not mean one of the oldest.
const mostCompared = 50

/**
 * Whether one of these rules, oldest first, speaks of what one from an earlier message spoke of: code
 * cannot tell whether it replaces that.
 */
export function mayContradict(rules: readonly RuleFact[]): boolean {
  const seen = new Map<string, Seq>()
  for (const { text, seq } of rules.slice(-mostCompared)) {
    const words = [...contentWords(text)]
    if (words.some((word) => (seen.get(word) ?? seq) < seq)) return true
    for (const word of words) if (!seen.has(word)) seen.set(word, seq)
  }
  return false
}

/** The message has said that it changes something about this. */
function isOnTopic(lower: string, topic: ReadonlySet<string> | undefined): boolean {
  return topic !== undefined && sharesAny(topic, contentWords(lower))
}

function foundBy(
  signs: readonly RegExp[],
  lower: string,
): { topic: string; rest: string } | undefined {
  for (const sign of signs) {
    const found = sign.exec(lower)
    if (found?.[1] === undefined || !isOwnWord(lower.slice(0, found.index))) continue
    return { topic: found[1], rest: lower.slice(found.index + found[0].length) }
  }
  return undefined
}

/** The rules that hold all words of what is no longer to be done, or all but its verb. */
function rulesAskingFor(
  rules: readonly RuleFact[],
  what: ReadonlySet<string>,
): readonly RuleFact[] {
  const [, ...object] = what
  return rules.filter(({ text }) => {
    const words = contentWords(text)
    return (
      (what.size > 0 && isWithin(what, words)) ||
      (object.length > 0 && isWithin(new Set(object), words))
    )
  })
}

/** Between the demands of one sentence. */
const demands =
  /;|,? (?:and|but) (?=(?:also |please )?(?:always|never|do not|don['’]?t|(?:use|follow|keep|write|add|run|name|put|make|avoid|prefer|ask|test|commit)\b))/

function partsOf(text: string): string[] {
  return unlabeled(text).toLowerCase().normalize('NFC').split(demands)
}

/** Whether a rule also asks for something that has nothing to do with this. */
function asksForMore(text: string, topic: ReadonlySet<string>): boolean {
  const parts = partsOf(text).map(contentWords)
  return parts.length > 1 && parts.some((words) => words.size > 0 && !sharesAny(topic, words))
}

/** The rules that hold all words of a topic; where none does, the newest that holds half of them. */
function rulesAbout(
  rules: readonly RuleFact[],
  topic: ReadonlySet<string> | undefined,
): readonly RuleFact[] {
  if (!topic || topic.size === 0) return []
  const whole = rules.filter(({ text }) => isWithin(topic, contentWords(text)))
  if (whole.length > 0) return whole
  const part = rules.findLast(({ text }) => {
    const words = contentWords(text)
    return [...topic].filter((word) => words.has(word)).length >= topic.size / 2
  })
  return part ? [part] : []
}

/**
 * “Scratch that” is about a rule only if a rule is what was said last; of the message before, only if
 * that said nothing else, or about the same thing, and another rule follows.
 */
function lastRule(
  rules: readonly RuleFact[],
  lower: string,
  {
    seq,
    before,
    rest,
    isReplaced,
  }: { seq: Seq; before: string; rest: string; isReplaced: boolean },
): readonly RuleFact[] {
  const last = rules.at(-1)
  if (last === undefined) return []
  const isSame =
    before.trim() === unlabeled(last.text) || sharesAny(contentWords(rest), contentWords(last.text))
  const isMeant = last.seq === seq || (isReplaced && isSame)
  return isMeant || /\brule\b/.test(lower) ? [last] : []
}

/** The rules that hold all words of what is to be forgotten; one word may be of a step, too. */
function rulesHolding(rules: readonly RuleFact[], what: string): readonly RuleFact[] {
  const topic = new Set([...contentWords(what)].filter((word) => !word.includes('-')))
  if (topic.size < 2) return []
  return rules.filter(({ text }) => isWithin(topic, contentWords(text)))
}

function maySwap({ wanted, unwanted }: Poles): boolean {
  return wanted.size > 0 && unwanted.size > 0
}

/** “Use npm, not pnpm” after “Use pnpm, not npm”, and nothing else. */
function isSwap(newer: Poles, older: Poles): boolean {
  return (
    maySwap(newer) &&
    isWithin(newer.wanted, older.unwanted) &&
    isWithin(newer.unwanted, older.wanted)
  )
}

/** “Use spaces instead of tabs in the YAML” has a place of its own: the rule may hold elsewhere. */
function saysNoMore(newer: string, older: string): boolean {
  const known = contentWords(older)
  return [...contentWords(newer)].filter((word) => !known.has(word)).length <= 1
}

function isOpposite(lower: string, newer: Poles, older: string): boolean {
  return contradicts(newer, polesOf(older)) || asksForOtherLanguage(lower, older)
}
