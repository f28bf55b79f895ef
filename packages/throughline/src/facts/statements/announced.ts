/** A longer text says something beside what is about to be done. In characters. */
export const longestAnnouncement = 120

/** Who gives a reason says more than what is about to be done. */
const REASON = /\b(?:because|since|instead of|rather than|so that|due to)\b/i

/** Whether a sentence gives a reason. */
export function givesReason(text: string): boolean {
  return REASON.test(text)
}

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
const FIRST = String.raw`(?:[^.!?\n]{1,39}[.!?]\s{1,4}|(?:good|great|fair|nice|excellent) (?:question|point|catch|idea|feedback|call)\b[,:; —–-]{1,4})?`

const WORDS_BEFORE = String.raw`^\W{0,4}${FIRST}(?:(?:now|next|first|then|after that|afterwards|finally|plus|also|meanwhile|good|ok(?:ay)?|great|perfect|so|wait|actually|alright|right)\b[,!. —-]{0,4}){0,3}`
const WILL = `(?:let me(?! know)|let['’]s|I['’]ll|I need to|I should|I will|I['’]m going to|I want to)`
const ADVERBS = '(?: (?:also|now|just|still|first|quickly|then|next|start by|double-)){0,3}'

/** It says that something is going to be done. */
const ANNOUNCEMENT = new RegExp(String.raw`${WORDS_BEFORE}(?:${WILL}|next)\b`, 'i')

/** A short sentence without a subject says what is being done: "Extracting the full record." */
const DOING =
  /^\W{0,4}(?!(?:(?:no|every|any|some)thing|during|according|missing|existing|remaining|following|failing)\b)[a-z]{2,14}ing (?:the|an?|it|this|that|these|those|all|both|my|its|another)\b[^.!?\n]{0,60}[.…:]?$/i
const HOLDS_ANYTHING = new RegExp(HOLDS, 'i')

/** The same in other languages, and what comes behind that. */
const ANNOUNCED_ELSEWHERE =
  /^[^\p{L}]{0,4}(?:(?:agora|ahora|maintenant|jetzt|primeiro|primero|d['’]abord|zuerst|bây giờ|сейчас|теперь)[, ]{1,2})?(?:(?:vou|vamos|voy a|vamos a|déjame|deixe-me|est(?:ou|oy|amos) \p{L}{2,14}ndo|je vais|nous allons|je suis en train de|laissez-moi|ich werde|ich schaue|wir werden|lass mich|tôi sẽ|để tôi|давайте|я (?:проверю|посмотрю|буду)|(?:depois disso|em seguida|después de eso|a continuación|ensuite|après cela|danach|anschließend|sau đó|затем|после этого),?)(?![\p{L}])|让我|我来|我将|我先|接下来|我们(?:来|先|需要))/iu

/** What for, or when: "To run the tests, …", "If that fails, …". */
const WHAT_FOR = String.raw`(?:(?:(?:and|so|but|now|first|next|then|again|instead)\b,? ?){0,2}(?:(?:in order )?to|if|once|when|after|before|for (?:this|that)|since then) ?[^.!?;:\n]{0,160}?, (?:then )?)`

/** Who works says what is to be done, or may be: in an answer that may be advice. */
const INTENDS = new RegExp(
  String.raw`^\W{0,4}${FIRST}(?:(?:now|next|first|then|finally|so|also|therefore|instead|perhaps|maybe)\b,? ?){0,2}${WHAT_FOR}?(?:(?:so|first|perhaps|maybe|then)\b,? ?)?(?:(?:we|I)(?:['’]ll| (?:(?:will|should|must) ?(?:also|now|first|probably|just|then|try to)?|(?:also |now |first |still |just ){0,2}(?:need|have|want|ought) (?:first )?to|are going to)\b(?! (?:not|see|n['’]t)\b))|let (?:us|me)\b|let['’]s\b)`,
  'i',
)

/** Whether somebody at work says what they are going to do. */
export function isIntended(text: string): boolean {
  return INTENDS.test(text.slice(0, 300))
}

/** It says that something is going to be looked at. */
const LOOKS_AT = new RegExp(
  String.raw`${WORDS_BEFORE}(?:${WILL}${ADVERBS} ?(?:${LOOK}|${LOOKING})\b|now (?:how|what|where|whether|why|to)\b|(?:now|first|then) the\b(?:[^.:\n]{1,60}: ${ASKS}|(?!.{0,120}${HOLDS}))|I(?:['’]m| am)${ADVERBS} ${LOOKING}\b|I${ADVERBS} ${LOOK}\b(?:.{0,60}${ASKS}|(?!.{0,120}${SHOWS}))|${LOOKING}\b(?!.{0,120}${SHOWS}))`,
  'i',
)

/** Who says that they understand has not said what. */
const UNDERSTOOD = new RegExp(
  String.raw`${WORDS_BEFORE}I(?:['’]ve| have)?(?: now| got| finally| can){0,2} (?:(?:(?:fully |clearly )?understand|see|get) (?:it|everything|the (?:full |whole |real )?(?:issue|problem|flow|structure|picture|code|pattern|error|bug|point|difference|situation|context))(?: (?:now|clearly|better|well)){0,2}|(?:an?|the|all|enough|everything)\b[^:;\`]{0,60}\b(?:understanding|context|picture|overview|in view|info|information|needed|I need)\b[^\d:;\`]{0,50})[.!]?\s{0,4}$`,
  'i',
)

/** What they come upon, and what they leave as it is, is no work. */
const NO_WORK =
  '(?:noticing|seeing|realizing|realising|finding|hitting|getting|missing|facing|leaving|keeping|treating|assuming|blocked|not)'

/** It says what is being done just now. */
const DOING_NOW = new RegExp(
  String.raw`${WORDS_BEFORE}(?:I(?:['’]m| am)(?: (?:now|also|just|still|currently|first|then|only)){0,2} (?!${NO_WORK}\b)[a-z-]{2,16}ing\b|I(?:['’]m| am) (?:now )?(?:in|at) (?:the )?\w{2,20}\b[^.]{0,40}\bnow\b|I expect\b|I want (?:one|a|to)\b|(?!${NO_WORK}\b)[a-z]{2,14}ing (?:now\b|(?:only|both|just)\b))`,
  'i',
)

/** It says what comes behind that. */
const DOING_THEN =
  /^\W{0,4}(?:after that|afterwards|then|finally|once [^,.]{1,60}),? I(?:['’]ll| will|['’]m)\b/i

/** Whether a sentence says what is being done: what that came to, it does not say. */
export function isDoing(text: string): boolean {
  if (!mayAnnounce(text)) return false
  const begin = text.slice(0, 200)
  return DOING_NOW.test(begin) || DOING_THEN.test(begin)
}

/** What a sentence announces: that something is going to be looked at, or to be done. */
export function announcedIn(text: string): 'look' | 'work' | undefined {
  if (ANNOUNCED_ELSEWHERE.test(text)) return 'work'
  if (!mayAnnounce(text)) return undefined
  if (UNDERSTOOD.test(text) || LOOKS_AT.test(text)) return 'look'
  if (ANNOUNCEMENT.test(text)) return 'work'
  return DOING.test(text) && !HOLDS_ANYTHING.test(text) ? 'work' : undefined
}

/** Where a first sentence that is so short that an announcement may stand behind it ends at the latest. */
const LATEST_END = 4 + 39

/** The first word of what both patterns find, where nothing stands before it. */
const FIRST_WORD =
  /^\W{0,4}(?:let|i|now|next|first|then|once|after|afterwards|finally|plus|also|meanwhile|fair|nice|excellent|good|ok(?:ay)?|great|perfect|so|wait|actually|alright|right|re|double|[a-z]{1,12}ing)\b/i

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
