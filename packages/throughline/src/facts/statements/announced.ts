/** A longer text says something beside what is about to be done. In characters. */
export const longestAnnouncement = 120

/** Who gives a reason says more than what is about to be done. */
const REASON = /\b(?:because|since|instead of|rather than|so that|due to)\b/i

/** Whether a sentence gives a reason. */
export function givesReason(text: string): boolean {
  return REASON.test(text)
}

/** What a sentence announces: that something is looked at, that it will be done, or is being done. */
export type Announced = 'look' | 'work' | 'doing'

/** Only its beginning is read, in characters. */
const BEGINNING = 160
/** A short sentence may stand in front of it: "Good catch." */
const LONGEST_FIRST = 40

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** They change nothing where they open a sentence, or stand between its subject and its verb. */
const FILLERS = words(
  'now next first then after afterwards finally plus also meanwhile good ok okay great perfect so wait actually alright right and but again just still quickly currently only instead therefore maybe perhaps probably that',
)
const SUBJECTS = words("i i'll i'm let let's")
const INTENTIONS = words("will need want should must i'll let let's am i'm")
const BETWEEN = words('to me us going be try start by')
const LOOKS = words(
  'check double-check do read reread re-read look trace follow run rerun re-run search start begin go continue inspect verify review open reopen list pull grep locate scan explore examine investigate validate confirm dig get take map gather fetch compare load try wait think consider',
)
/** Where one of these follows, what was looked at has shown something. */
const SHOWS = words(
  'is was are were has had show shows showed fail fails failed works worked means gives gave makes passes passed needs returns does can',
)
/** What they come upon, and what they leave as it is, is no work. */
const NO_WORK = words(
  'noticing seeing realizing realising finding hitting getting missing facing leaving keeping treating assuming during nothing something everything anything according existing remaining following failing',
)
/** “Now I have a good understanding of the code” says nothing of the code. */
const UNDERSTOOD = words('understanding picture overview context')
const OBJECTS = words('the a an it this that these those all both my its another now only just')

/** How such a sentence begins in other languages. */
const ELSEWHERE =
  /^[^\p{L}]{0,4}(?:(?:agora|ahora|maintenant|jetzt|primeiro|primero|zuerst|сейчас|теперь)[, ]{1,2})?(?:vou|vamos|voy a|déjame|deixe-me|je vais|nous allons|laissez-moi|ich werde|wir werden|lass mich|tôi sẽ|để tôi|я (?:проверю|посмотрю|буду)|давайте|让我|我来|我将|我先|接下来|我们(?:来|先|需要))/iu

/**
 * What a sentence announces by the words that it begins with; what came of it, it does not say.
 * @example
 * announcedIn('Now let me read the config.') // 'look'
 * announcedIn('The config is read twice.') // undefined
 */
export function announcedIn(text: string): Announced | undefined {
  const first = text.charCodeAt(0)
  const begin = text.slice(0, BEGINNING)
  if (first > 127 || /^(?:vou|vamos|voy|je|nous|ich|wir|lass|agora|ahora|jetzt)/i.test(begin)) {
    if (ELSEWHERE.test(begin)) return 'work'
  }
  const spoken =
    begin
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z][a-z'-]*|[.!?](?=\s)/g) ?? []
  const end = spoken.findIndex((word) => /^[.!?]$/.test(word))
  const behind = end > 0 && text.search(/[.!?]\s/) < LONGEST_FIRST ? spoken.slice(end + 1) : []
  // “Writing code changes...”
  const isTrailing = /(?:\.\.\.|…)\s*$/.test(text.slice(-6))
  return announcedBy(spoken, isTrailing) ?? announcedBy(behind, isTrailing)
}

function announcedBy(spoken: readonly string[], isTrailing: boolean): Announced | undefined {
  let at = spoken.findIndex((word) => !FILLERS.has(word))
  const subject = spoken[at]
  if (subject === undefined) return undefined
  if (SUBJECTS.has(subject)) {
    if (!subject.includes("'") && subject !== 'let') at = after(at + 1, spoken)
    const word = spoken[at] ?? ''
    if (subject === 'i' && LOOKS.has(word)) return showsSomething(spoken) ? undefined : 'look'
    if (/^(?:have|understand)$/.test(word) && spoken.some((each) => UNDERSTOOD.has(each)))
      return 'look'
    if (!INTENTIONS.has(word)) return undefined
    at = after(at + 1, spoken, BETWEEN)
    const verb = spoken[at] ?? ''
    if (verb === 'know' || verb === 'not') return undefined
    const isDoing = subject === "i'm" || spoken.includes('am')
    if (isDoing && (!verb.endsWith('ing') || NO_WORK.has(verb))) return undefined
    return LOOKS.has(stemOf(verb)) ? 'look' : isDoing ? 'doing' : 'work'
  }
  if (!subject.endsWith('ing') || NO_WORK.has(subject)) return undefined
  if (showsSomething(spoken)) return undefined
  if (LOOKS.has(stemOf(subject))) return 'look'
  return OBJECTS.has(spoken[at + 1] ?? '') || isTrailing ? 'doing' : undefined
}

function showsSomething(spoken: readonly string[]): boolean {
  return spoken.some((word) => SHOWS.has(word))
}

/** The first word from there on that neither fills a gap nor is one of some more words. */
function after(
  from: number,
  spoken: readonly string[],
  more: ReadonlySet<string> = FILLERS,
): number {
  let at = from
  while (FILLERS.has(spoken[at] ?? '') || more.has(spoken[at] ?? '')) at++
  return at
}

/** `running` → `run`, `tracing` → `trace`. */
function stemOf(verb: string): string {
  if (!verb.endsWith('ing')) return verb
  const stem = verb.slice(0, -3)
  if (LOOKS.has(stem)) return stem
  return LOOKS.has(`${stem}e`) ? `${stem}e` : stem.slice(0, -1)
}
