import {
  forgets,
  holds,
  keeps,
  languages,
  needed,
  noMore,
  saidWords,
  tongues,
  words,
  writes,
  type Ban,
  type DemandWords,
} from './languages.ts'
import { idioms, leading, me, notOf, tellers, wants } from './standing-form.ts'

/** Thai puts no blanks between words. */
const lastingInThai = /ห้าม|อย่า|เสมอ|ตลอดไป|ตั้งแต่นี้/

/** Words that no other of these languages has. */
const english: ReadonlySet<string> = new Set(
  words('the and of to it is you that for with are this be my we from your use'),
)

const longest = 300

interface Read {
  words: readonly string[]
  row: DemandWords
  /** How many of its common words are in the sentence. */
  common: number
  /** It tells of something, and asks for nothing. */
  isTelling: boolean
}

let commonIn: Map<string, DemandWords[]> | undefined

function languagesByWord(): Map<string, DemandWords[]> {
  const byWord = new Map<string, DemandWords[]>()
  for (const row of languages) {
    for (const word of new Set([...row.common, ...row.subjects, ...row.lasting])) {
      const rows = byWord.get(word)
      if (rows) rows.push(row)
      else byWord.set(word, [row])
    }
  }
  return byWord
}

/** Several questions are asked about one sentence, one after the other. */
let newest: { lower: string; read: readonly Read[] } | undefined

/** The languages that a sentence may be in, of those that the table knows. */
function readIn(lower: string): readonly Read[] {
  if (lower.length > longest) return []
  if (newest?.lower !== lower) newest = { lower, read: languagesOf(lower) }
  return newest.read
}

function languagesOf(lower: string): Read[] {
  const found = lower.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? []
  let inEnglish = 0
  const counts = new Map<DemandWords, number>()
  commonIn ??= languagesByWord()
  for (const word of new Set(found)) {
    if (english.has(word)) inEnglish++
    for (const row of commonIn.get(word) ?? []) counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  const read = languages.flatMap((row): Read[] => {
    const common = counts.get(row) ?? 0
    if (inEnglish > 0 && common <= inEnglish) return []
    const isTelling = row.subjects.includes(found[0] ?? '')
    return common > 0 || isTelling || inEnglish === 0
      ? [{ words: found, row, common, isTelling }]
      : []
  })
  const most = Math.max(...read.map(({ common }) => common))
  return read.filter(({ common }) => common === most)
}

// They mean something else in other languages: “mai” is a month, too.
const shared = new Set(['mai', 'zaman', 'alleen'])

/** Whether a sentence asks for something that lasts, by its words alone. */
export function asksForGood(lower: string): boolean {
  if (lower.length <= longest && lastingInThai.test(lower)) return true
  const read = readIn(lower)
  // Of two languages that a sentence may be in, both must take it for a demand.
  if (read.length === 0 || read.some(({ isTelling }) => isTelling) || idioms.test(lower))
    return false
  const clauses = clausesOf(lower)
  return read.some(({ words: found, row, common }) => {
    if (articles.has(found[0] ?? '')) return false
    const lasts = (clause: readonly string[]): boolean =>
      clause.some(
        (word, at) =>
          row.lasting.includes(word) &&
          (common > 2 || !shared.has(word)) &&
          !tellsHow(row, [clause[at - 1], clause[at + 1], clause[at + 2]]) &&
          !tellsOfSomebody(clause.slice(0, at), row),
      )
    return clauses.some((clause) => lasts(clause) || asksForManner(clause, row))
  })
}

/** “Da sind wir immer …”: who does it always is named, and is not the agent. */
function tellsOfSomebody(before: readonly string[], { subjects }: DemandWords): boolean {
  return (
    before.some((word) => tellers.has(word) && subjects.includes(word) && !things.has(word)) &&
    !before.some((word) => wants.has(word))
  )
}

/** They may be what is done, too. */
const things: ReadonlySet<string> = new Set(words('sie es ça ce het det це'))

/** What begins with a thing tells how it is. */
const articles: ReadonlySet<string> = new Set(
  words('el los la las il lo gli o os as le les der die das den de het det'),
)

/** “Siempre falla” tells how things are. */
function tellsHow({ bans }: DemandWords, around: readonly (string | undefined)[]): boolean {
  const endings = bans.later ? [] : (bans.states ?? [])
  return around.some(
    (each = '') => bans.tells?.includes(each) || endings.some((end) => each.endsWith(end)),
  )
}

/** A longer clause says more than how to do things. */
const mostWords = 16

/** The clauses of a sentence, in words, without the words of courtesy and those that join. */
function clausesOf(lower: string): string[][] {
  return lower.split(/[,;:،、–—()]+/).map((clause) => {
    const found = clause.match(/[\p{L}\p{M}]+/gu) ?? []
    const first = found.findIndex((word) => !leading.has(word))
    return first < 0 ? [] : found.slice(first)
  })
}

function asksForManner(clause: readonly string[], row: DemandWords): boolean {
  const [first = ''] = clause
  const isSure = /[^\p{ASCII}]/u.test(first) || clause.some((word) => row.common.includes(word))
  if (!isSure) return false
  if (clause.length < 2 || clause.length > mostWords || row.subjects.includes(first)) return false
  const begins = (some: readonly string[]): boolean =>
    some.some((stem) => first === stem || (stem.length > 3 && first.startsWith(stem)))
  if (isBan(clause, row.bans) || begins(keeps)) return true
  return begins(writes) && clause.some((word) => tongues.includes(word))
}

function isBan(clause: readonly string[], ban: Ban): boolean {
  const [first = '', second = ''] = clause
  const last = clause.at(-1) ?? ''
  const { ends = [''], begins = '', tells = [] } = ban
  const isVerb = (verb: string): boolean =>
    verb.length > 3 &&
    verb.startsWith(begins) &&
    !tells.includes(verb) &&
    ends.some((end) => verb.endsWith(end))
  if (ban.words?.includes(first)) return isVerb(me.has(second) ? (clause[2] ?? '') : second)
  // Its object may come before it, if the verb tells an order from a statement.
  if (ban.ends && ban.states && ban.words?.includes(clause.at(-2) ?? ''))
    return isVerb(last) && !ban.states.some((end) => last.endsWith(end))
  if (ban.prefix !== undefined && first.startsWith(ban.prefix)) return isVerb(first)
  if (ban.later) {
    const states = ban.states?.some((end) => first.endsWith(end)) ?? false
    return !states && clause.length > 2 && ban.later.some((word) => clause.indexOf(word) > 0)
  }
  return ban.last?.some((end) => last.endsWith(end)) ?? false
}

/** How a sentence takes a rule back. */
export type TakeBack =
  /** Something forbidden is allowed: “you can push now”. */
  | 'permits'
  /** Something demanded is no longer demanded: “you don't have to run the tests any more”. */
  | 'relieves'
  /** The rule itself is withdrawn: “forget the rule about …”. */
  | 'revokes'

/** Whether a sentence may take a rule back, and how, by its words alone. */
export function takesBack(lower: string): TakeBack | undefined {
  const read = readIn(lower)
  const found = read[0]?.words
  if (!found) return undefined
  const begins = (some: readonly string[]): boolean =>
    found.some((word) => some.some((stem) => word.startsWith(stem)))
  if (begins(forgets) && begins(saidWords)) return 'revokes'
  const isOver = found.some((word) => noMore.includes(word))
  if (isOver && found.some((word) => holds.includes(word))) return 'revokes'
  if (isNoLongerNeeded(found)) return 'relieves'
  return read.some(({ row }) => permits(found, row)) ? 'permits' : undefined
}

/**
 * Whether a sentence says one thing. A second clause may give a reason; more clauses, a condition and
 * what somebody else says need a reader.
 */
export function isPlain(lower: string): boolean {
  const clauses = lower.split(/[,;:،、–—()]+/)
  return clauses.length <= 2 && !clauses.some((clause) => reports.test(clause))
}

const reports =
  /(?<!\p{L})(?:si|se|wenn|falls|dass|ob|que|qu|che|если|что|чтобы|якщо|що|щоб|jeśli|że|gdyby|als|dat|om|att|at|hvis|eğer|kalau|bahwa|pokud|že|ha|hogy|dacă|αν|ότι|إذا|أن|אם|अगर|कि)(?!\p{L})/u

function permits(found: readonly string[], row: DemandWords): boolean {
  const allows = row.allows.some((each) =>
    each.startsWith('-')
      ? found.some((word) => word.endsWith(each.slice(1)))
      : found.includes(each),
  )
  return allows && !isDenied(found, row)
}

function isNoLongerNeeded(found: readonly string[]): boolean {
  const isNeed = (word = ''): boolean => needed.includes(word)
  const at = found.findIndex((word) => noMore.includes(word))
  if (at < 0 || !found.some(isNeed)) return false
  return isNeed(found[at - 1]) || isNeed(found[at + 1]) || found.some((word) => notOf.has(word))
}

/** “You can not …” allows nothing. */
function isDenied(found: readonly string[], { bans, allows }: DemandWords): boolean {
  const not = new Set([...(bans.words ?? []), ...(bans.later ?? [])])
  return found.some(
    (word, at) =>
      allows.includes(word) && [found[at - 1], found[at + 1]].some((each = '') => not.has(each)),
  )
}

/** Whether what a sentence allows holds for a part only: “you can push, but only to dev”. */
export function restricts(lower: string): boolean {
  if (/\b(?:only|unless)\b/.test(lower)) return true
  return readIn(lower).some(({ words: found, row }) =>
    found.some((word) => row.only.includes(word)),
  )
}

const functionWords: ReadonlySet<string> = new Set(
  languages
    .flatMap(({ lasting, subjects, allows, common, only }) => [
      ...lasting,
      ...only,
      ...subjects,
      ...allows,
      ...common,
    ])
    .concat(saidWords, noMore, needed),
)

/** Whether a word says nothing of what a sentence is about, in any of these languages. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word)
}
