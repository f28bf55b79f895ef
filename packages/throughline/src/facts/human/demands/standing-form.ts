import { words } from './languages.ts'
import { withoutQuotations } from '../own-word.ts'

/** Words that tell, in whatever language, how long and for what a demand holds. */
const before = wordSet(
  'before until unless without bevor ehe ohne avant sans antes sin sem prima senza прежде перед без перш zanim bez voordat zonder önce innan utan før uten ennen ilman než před înainte fără előtt nélkül sebelum tanpa πριν χωρίς قبل بدون לפני בלי पहले बिना',
)
/** Until when a demand holds, where it says so first. */
const until = wordSet(
  'until till bis jusqu hasta fino até totdat tot tills till až до asteekka kunnes până amíg sampai hingga μέχρι ως حتى עד',
)
/** The human, as whom one asks. */
export const me = wordSet(
  'me my mes mon ma mis meu meus mio moją mojego můj mého mou onayımı onayım iznimi minun моим моей моё мій моє моєї meines meinem meinen إذني إذن אישורי mich mir mein meine moi mi meu minha mio mia меня мне моего мене мені моєї mnie mi mojej mij mijn bana benim mig min meg mitt minua minulta mě mne mně engem saya με μου मुझसे मेरी',
)
/** The same, as the end of a verb. */
const endsInMe =
  /^(?:preg[uú]nta|av[ií]sa|cons[uú]lta|p[ií]de|di)me$|^(?:chiedi|avvisa|avverti|dim)mi$|ني$/
const every = wordSet(
  'every each all any anything everything nothing nobody jede jeder jedes alle alles keine kein nichts chaque tout tous toute toutes aucun rien cada todo toda todos todas ningún ninguna nada ogni tutti tutte nessun niente nenhum nenhuma каждый каждая каждое все всё любая любой никакие кожна кожен кожне всі żaden żadna każdy każda każde wszystkie elke elk iedere alle geen her bütün hiçbir varje alla ingen inga hver hvert kaikki jokainen každý každá všechny fiecare toate minden setiap semua κάθε كل כל हर',
)
const needs = wordSet(
  'need needs must should shall braucht brauchen muss müssen soll sollen doit doivent faut necesita necesitan debe deben necesita tiene deve devono precisa precisam должен должна должно должны нужен нужна нужно требует потрібен потрібна повинен повинна musi muszą potrzebuje powinien powinna wymaga moet moeten hoort gerek gerekli gerekir olmalı behöver måste ska skal må trenger pitää täytyy musí potřebuje trebuie kell harus wajib perlu πρέπει χρειάζεται يجب צריך חייב चाहिए',
)
export const notOf = wordSet(
  'not no never nothing istemiyorum nicht kein keine keinen nichts pas aucun no nada non niente não не нет нiяк nie żadnych niet geen değil inte ingen ikke ei ne nu nem bukan jangan tidak όχι δεν لا لم אין לא नहीं',
)
const here = wordSet(
  'here everywhere anywhere hier überall ici partout aquí aqui qui ovunque здесь тут везде tutaj wszędzie hierzo overal burada här her täällä tady aici itt sini εδώ هنا כאן यहाँ',
)
/** Nothing of a thing, at the beginning and without a verb. */
const none = wordSet(
  'keine kein keinerlei pas aucun aucune nada ningún ninguna niente nessun nessuna nenhum nenhuma никаких никакой жодних żadnych żadne żadnego geen inga ingen ingen žádné fără',
)
/** Who begins so tells of something. */
export const tellers = wordSet(
  'i it he she they there this that these those you ich er sie es je il elle ça ce on yo él ella io lui lei eu ele ela я он она оно це я він вона ja on ona ik hij zij het jag han hon det wir man nous мы ми minä hän',
)
export const wants = wordSet(
  'möchte veux voudrais quiero prefiero voglio vorrei quero хочу chcę istiyorum istemiyorum vill vil haluan chci vreau akarok ingin θέλω أريد רוצה चाहता चाहती',
)
/** In languages whose word for it means something else in others. */
const iWant =
  /^\W*(?:i|we)(?:['’]d| would)? (?:like|want|prefer|expect|rather)\b|^\W*ich will\b|^\W*ik wil\b/
/** Courtesy, and what joins sentences. */
export const leading = wordSet(
  'please and also but so ok okay pls btw bitte und auch por favor y e ed et svp пожалуйста и та і proszę graag en lütfen ve tack och vær så snill mais merci alors ma per favore mas maar men snälla og ja mutta i ale prosím si și dar te rog és de kérlek ama dan tapi tolong mohon але будь ласка και αλλά παρακαλώ و لكن فضلك בבקשה और कृपया aber pero а но также só solo sólo nur только seulement uniquement tylko',
)
/** They say what is so, although they begin with “no”. */
export const idioms =
  /^(?:no (?:problem|worries|idea|issues?|luck|rush|hurry|need|doubt|wonder|one|it|i|we|that|this|the|but|not|thanks|longer|results?|matches|changes|errors?)\b|nada más|niente di|kein problem|keine (?:ahnung|sorge|zeit|fehler)|pas de (?:souci|problème)|geen (?:probleem|idee))/u

const haveTo = /\b(?:has|have) to\b|^\W*all [a-z -]{2,30} (?:as|in|with) \S/
const nobody = wordSet(
  'nothing nobody rien personne nichts niemand nada nadie niente nessuno ничего никто nic nikt niets niemand',
)
/** From here on, in several words. */
const fromNowOn =
  /\b(?:à partir de maintenant|a partir de a[gh]ora|bundan sonra|daqui (?:pra|para a?) ?frente|d['’]ora in poi|od teraz|vanaf nu|från och med nu|mulai sekarang|as a rule)\b|с этого момента|من الآن فصاعدا/

/** What is so in each case, whatever the case is. */
const distributive = wordSet('every each nothing nobody')
const anyOfThem = wordSet(
  'any anything anyone anywhere irgendetwas irgendwas etwas quoi algo qualquer qualsiasi cualquier',
)
const everywhere = wordSet(
  'everywhere throughout überall partout ovunque везде wszędzie overal overalt överallt kaikkialla všude peste mindenhol πανταχού повсюди',
)
/** They point at what is there now: the sentence is about one case. */
const pointing = wordSet(
  'this that these those them it i he she they there here yet yesterday today still already second third other few else far',
)
/** What has happened, and how it went. */
const news = wordSet(
  'was were is are isn has have had did found got see saw pass passes fail fails work works look looks seem seems happen happens break breaks run runs',
)
/** What is done once and then is done. */
const steps = wordSet(
  'rename replace remove delete fix change move update convert migrate add apply find show check give take wait tell list send get try',
)
/** Who begins so asks, doubts or tells. */
const wordsOfDoubt = wordSet('maybe perhaps which why they code test log logs tests')
const lasting = wordSet('never always')
/** After “never” and “always”, these describe what was or is. */
const told = wordSet(
  'mind know would could been had seen heard thought knew got understood felt was were did saw an a the once ever',
)
/** A demand for none of a thing, in English, where things or a place follow “no”. */
const noThing =
  /(?:^|[ ,;:–—])(?:no|zero) (?!problem|worries|idea|issues?|luck|rush|hurry|need|doubt|wonder|one\b|it\b|i\b|we\b|the\b|but\b|not\b|thanks|longer|more\b|results?|matches|changes?|errors?|way\b|matter)(?:[\w.-]+ ){0,2}?(?:[\w.-]+s\b|[\w.-]+ (?:in|for|on|to|from|with|of|without|unless|until) )/
/** Spanish says “no” before a verb: “No funcionan los tests”. */
const noInSpanish =
  /(?:^|\s)no (?:hay|se|me|te|lo|la|le|los|las|es|está)(?!\p{L})|(?:^|\s)no \p{L}+(?:[ae]n|mos)(?!\p{L})|(?<!\p{L})(?:los|las|del|el)(?!\p{L})/u
/** How much of it at most or at least. */
const limit =
  /(?<!\p{L})(?:at (?:most|least)|no more than|höchstens|mindestens|maximal|au (?:plus|maximum)|como máximo|no máximo|al massimo|не (?:более|больше|\p{L}+ее) \S+)(?!\p{L})/u
/** “One commit per file”: a bare thing follows. */
const perThing =
  /(?<!\p{L})(?:per|(?<=(?:\d|ein|eine|einen|jeden) .*)pro) (?!favore|esempio|ora\b|me\b|il\b|lo\b|la\b|i\b|gli\b|le\b|un|quest|quell|the\b|cent|se\b)[\p{L}-]+/u
/** “Tests first, then code”: no verb makes a step of it. */
const order = wordSet('first erst zuerst abord primero prima eerst först')
const inOrder = wordSet(
  'then der die das les la le las los el il i gli de het dann puis luego después poi dan sedan',
)
const oneOf = wordSet('one un une una uno um uma ein eine een один одна одно')
const forEach = wordSet('per par por pro na на')
const once = /(?<!for |from )\bnow\b/
const onlyAtEnd = /^(?:\S+ ){1,5}only[.!]?$/

function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text))
}

const mostWords = 18
const mostWithoutVerb = 8

/**
 * Whether a sentence has the form of a demand that lasts: “ask me before …”, “every … needs …”, “no …
 * in …”, “here …, not …”, “I want no …”. It reads the words that sentences are built of, in all
 * languages at once; what the sentence is about does not matter.
 */
export function hasStandingForm(lower: string): boolean {
  if (fromNowOn.test(lower)) return true
  const all =
    lower
      .normalize('NFC')
      .replace(/n['’]t\b/g, ' not')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  // In English it is who tells, and no word that joins.
  const start = all.findIndex((word) => word === 'i' || !leading.has(word))
  const found = start < 0 ? [] : all.slice(start)
  if (found.length > 1 && found.length <= mostWords && speaksOfAll(lower.trim(), found)) return true
  if (found.length < 3 || found.length > mostWords) return false
  const [first = ''] = found
  const has = (some: ReadonlySet<string>): boolean => found.some((word) => some.has(word))
  const ends = [...found.slice(0, 3), found.at(-1) ?? '']
  if (iWant.test(lower) || ends.some((word) => wants.has(word))) return has(every) || has(notOf)
  const isIdiom = /^\p{L}+,/u.test(lower) || idioms.test(lower)
  if (none.has(first) && found.length <= mostWithoutVerb && !isIdiom) return true
  if (until.has(first) && has(notOf)) return true
  if (tellers.has(first)) return false
  const at = found.findIndex((word) => before.has(word))
  if (at >= 0 && !notOf.has(found[at - 1] ?? '') && isAskedOfMe(found)) return true
  if (
    every.has(first) &&
    !isIdiom &&
    (found.slice(1).some((word) => needs.has(word)) || haveTo.test(lower))
  )
    return true
  if (nobody.has(first) && found.slice(0, -1).some((word) => before.has(word))) return true
  const [, contrast] = lower.split(/, (?=\p{L})/u)
  const opposes = contrast !== undefined && notOf.has(/^\p{L}+/u.exec(contrast)?.[0] ?? '')
  return opposes && has(here)
}

/** “Never …” and “always …” as demands, not about what someone never did or always does. */
export function asksAlways(lower: string): boolean {
  return withoutQuotations(lower)
    .split(/[,;:–—()]+/)
    .some((clause) => {
      const found = clause.match(/\p{L}+/gu) ?? []
      const at = found.findIndex((word) => lasting.has(word))
      const isTold = found
        .slice(0, Math.max(at, 0))
        .some((word) => pointing.has(word) || wordsOfDoubt.has(word))
      if (at < 0 || isTold) return false
      const next = found[at + 1]
      if (next === undefined) return found[at] === 'always'
      return !told.has(next) && !/(?:[^e]ed|[^s]s)$/.test(next)
    })
}

/**
 * Whether a sentence speaks of all cases, and neither points at one nor tells how one went: “one
 * commit per file”, “tabs everywhere”, “write no tests”.
 */
function speaksOfAll(lower: string, found: readonly string[]): boolean {
  const [first = ''] = found
  const has = (some: ReadonlySet<string>): boolean => found.some((word) => some.has(word))
  if (tellers.has(first) || has(pointing) || has(news) || once.test(lower)) return false
  const ordered = found.findIndex((word) => order.has(word))
  if (ordered >= 0 && ordered < 3 && inOrder.has(found[ordered + 1] ?? '')) return true
  if (noThing.test(lower) && !noInSpanish.test(lower)) return !found.at(-1)?.endsWith('ed')
  if (steps.has(first) || found.some((word) => word.endsWith('ed'))) return false
  const at = found.findIndex((word) => before.has(word))
  if (at >= 0 && found.slice(at).some((word) => anyOfThem.has(word))) return true
  if (has(everywhere) || onlyAtEnd.test(lower)) return true
  if (limit.test(lower) || perThing.test(lower)) return true
  if (oneOf.has(first) && forEach.has(found[2] ?? '') && found.length === 4) return true
  if (/^\W*(?:\S*[^\s,;:–—] ){1,2}(?:nobody|nothing)\b/.test(lower)) return true
  return distributive.has(first) && found.length > 3 && !found.includes('the')
}

/** “Ask me …” at the beginning, or at the end where verbs come last. */
function isAskedOfMe(found: readonly string[]): boolean {
  const near = [...found.slice(0, 4), ...found.slice(-3)]
  return near.some((word) => me.has(word) || endsInMe.test(word))
}
