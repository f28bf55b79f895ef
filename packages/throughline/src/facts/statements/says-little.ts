/** Only the beginning of a sentence is read for what it is, in characters. */
const BEGINNING = 200
/** A longer sentence says something besides what is about to be done. In characters. */
const LONGEST_ANNOUNCEMENT = 120
/** What is being done just then is over, however many words name it. In characters. */
const LONGEST_UNDER_WAY = 240

const REASON = /\b(?:because|since|instead of|rather than|so that|due to)\b/i

const FILLERS = String.raw`(?:now|next|first|then|after(?:wards)?|finally|plus|also|meanwhile|good|ok(?:ay)?|great|perfect|so|wait|actually|alright|right|and|but|again|just|still|quickly|currently|only|instead|therefore|maybe|perhaps|probably|that)\b[\s,.:–-]{0,3}`
const BETWEEN = String.raw`(?:(?:to|us|going|be|try|start|by)\b\s?|${FILLERS}){0,5}`
const WILL = String.raw`(?:I(?:['’]ll| ${BETWEEN}(?:will|need|want|should|must))|let(?:['’]s| me| us)?)\b ${BETWEEN}`
const AM = String.raw`I(?:['’]m| am)\b ${BETWEEN}`
const OPENING = new RegExp(
  String.raw`^\W{0,4}(?:${FILLERS}){0,5}(?:(?<will>${WILL})|(?<am>${AM})|(?<i>I ${BETWEEN}))?(?<verb>[a-z]+(?:-[a-z]+)?)(?<object> (?:the|an?|it|this|that|these|those|all|both|my|its|another|now|only|just)\b)?`,
  'i',
)
const LOOKS =
  /^(?:(?:double-)?check|do|re-?read|look|trac|follow|re-?runn?|search|start|beginn?|go|continu|inspect|verif|review|re-?open|list|pull|grep|locat|scann?|explor|examin|investigat|validat|confirm|digg?|gett?|tak|mapp?|gather|fetch|compar|load|try|wait|think|consider)(?:e|y|ing)?$/i
const NO_WORK =
  /^(?:(?:notic|see|reali[sz]|find|hitt|gett|miss|fac|leav|keep|treat|assum|dur|noth|someth|everyth|anyth|accord|exist|remain|follow|fail)ing|know|not)$/i
/** Where one of these follows, what was looked at has shown something. */
const SHOWS =
  /\b(?:is|was|are|were|ha[sd]|have|shows?|showed|fail(?:s|ed)?|work(?:s|ed)|means|gives|gave|makes|pass(?:es|ed)|needs|returns|does|can)\b/i
/** "Now I have a good understanding of the code" says nothing of the code. */
const UNDERSTOOD =
  /^\W{0,4}(?:now )?I (?:now )?(?:have|understand)\b.{0,80}\b(?:understanding|picture|overview|context)\b/i
/** "Writing code changes..." */
const TRAILS_OFF = /(?:\.\.\.|…)\s{0,4}$/
/** How such a sentence begins in other languages. */
const ELSEWHERE =
  /^[^\p{L}]{0,4}(?:(?:agora|ahora|maintenant|jetzt|primeiro|primero|zuerst|сейчас|теперь)[, ]{1,2})?(?:vou|vamos|voy a|déjame|deixe-me|je vais|nous allons|laissez-moi|ich werde|wir werden|lass mich|tôi sẽ|để tôi|я (?:проверю|посмотрю|буду)|давайте|让我|我来|我将|我先|接下来|我们(?:来|先|需要))/iu
/** A short sentence that may come before it: "Good catch." */
const FIRST = /^[^.!?\n]{1,39}[.!?]\s/

/** Whether a sentence is long, or gives a reason: it says more than what is done, or how far. */
export function isWeighty(text: string): boolean {
  return text.length > LONGEST_ANNOUNCEMENT || REASON.test(text)
}

/**
 * What a sentence announces by the words that it begins with: that something is looked at, that it
 * will be done, or is being done. What came of it, it does not say.
 * @example
 * announcedIn('Now let me read the config.') // 'look'
 * announcedIn('The config is read twice.') // undefined
 */
export function announcedIn(text: string): 'look' | 'work' | 'doing' | undefined {
  if (isWeighty(text)) return isUnderWay(text) ? 'look' : undefined
  if (ELSEWHERE.test(text)) return 'work'
  if (UNDERSTOOD.test(text)) return 'look'
  const later = text.replace(FIRST, '')
  return announcedBy(text) ?? (later === text ? undefined : announcedBy(later))
}

/** “I’m running the tests now, specifically …”: it gives no reason, no result and no name. */
function isUnderWay(text: string): boolean {
  const isVague = !text.includes('`') && !REASON.test(text) && !SHOWS.test(text)
  if (text.length > LONGEST_UNDER_WAY || !isVague) return false
  const { am, verb = '' } = OPENING.exec(text)?.groups ?? {}
  return am !== undefined && /ing$/i.test(verb) && !NO_WORK.test(verb)
}

function announcedBy(text: string): ReturnType<typeof announcedIn> {
  const { will, am, i, verb = '', object } = OPENING.exec(text)?.groups ?? {}
  if (NO_WORK.test(verb)) return undefined
  const looks = LOOKS.test(verb)
  if (will !== undefined) return looks ? 'look' : 'work'
  const isGoingOn = /ing$/i.test(verb)
  if (am !== undefined) return isGoingOn ? (looks ? 'look' : 'doing') : undefined
  if (SHOWS.test(text)) return undefined
  if (looks && (isGoingOn || i !== undefined)) return 'look'
  return isGoingOn && i === undefined && (object !== undefined || TRAILS_OFF.test(text))
    ? 'doing'
    : undefined
}

/** What somebody may do, should do, was asked, asks themselves, or how it feels. */
const WEIGHS =
  /\b(?:I(?:['’](?:m|ll|d)| (?:can|could|should|might|must|will|would|want|need|wonder|guess|think|hope))|let['’]s|let me|(?:my|our) (?:task|plan|goal|aim)|the (?:user|task|instructions say)|will (?:help|ensure)|(?:should|could|would|might|may)(?! not\b)|maybe|perhaps|probably|hopefully|seems?|sounds?|feels?|makes? sense|important|helpful|interesting)\b|[?？!]["'”’)]?\s{0,3}$|[{};]\s{0,3}$/i

/** Whether a sentence of readable thinking only weighs what might be done. What was found, it says without these words. */
export function muses(text: string): boolean {
  return WEIGHS.test(text.slice(0, BEGINNING))
}

const OFFERS =
  /^\W{0,4}(?:(?:if|when) you (?:want|like|prefer|wish|agree|['’]d like|would like|need)\b|let me know\b|tell me\b|just say\b|say the word\b|feel free\b|happy to\b|I can (?:also )?[^.?]{1,160} if you\b|(?:want|wanna|would you like|do you want|should I|shall I|shall we|should we|ready (?:for|to)|(?:any|anything|something) (?:else|missing|you)|(?:does|do|is|are) (?:this|that|these|those|it|you|everything)|which (?:one|approach|option|of)|what (?:do you think|would you)|how would you|can you confirm|ok(?:ay)? to|sound good|looks? good|look right|make sense|proceed|anything)\b[^.!\n]{0,300}\?\W{0,4}$)/i

/** Whether a sentence asks the human what to do next, or offers something. */
export function isOffer(text: string): boolean {
  return OFFERS.test(text.slice(0, 400))
}
