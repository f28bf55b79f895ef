import { words } from './languages.ts'

/** Words that tell, in whatever language, how long and for what a demand holds. */
const before = wordSet(
  'before until unless without bevor ehe ohne avant sans antes sin sem prima senza прежде перед без перш zanim bez voordat zonder önce innan utan før uten ennen ilman než před înainte fără előtt nélkül sebelum tanpa πριν χωρίς قبل بدون לפני בלי पहले बिना',
)
/** Until when a demand holds, where it says so first. */
const until = wordSet(
  'until till bis jusqu hasta fino até totdat tot tills till až до asteekka kunnes până amíg sampai hingga μέχρι ως حتى עד',
)
/** The human, as whom one asks. */
const me = wordSet(
  'me my mes mon ma mis meu meus mio moją mojego můj mého mou onayımı onayım iznimi minun моим моей моё мій моє моєї meines meinem meinen إذني إذن אישורי mich mir mein meine moi mi meu minha mio mia меня мне моего мене мені моєї mnie mi mojej mij mijn bana benim mig min meg mitt minua minulta mě mne mně engem saya με μου मुझसे मेरी',
)
/** The same, as the end of a verb. */
const endsInMe =
  /^(?:preg[uú]nta|av[ií]sa|cons[uú]lta|p[ií]de|di)me$|^(?:chiedi|avvisa|avverti|dim)mi$|ني$/
const every = wordSet(
  'every each all any anything everything no nothing nobody jede jeder jedes alle alles keine kein nichts chaque tout tous toute toutes aucun rien cada todo toda todos todas ningún ninguna nada ogni tutti tutte nessun niente nenhum nenhuma каждый каждая каждое все всё любая любой никакие кожна кожен кожне всі żaden żadna każdy każda każde wszystkie elke elk iedere alle geen her bütün hiçbir varje alla ingen inga hver hvert kaikki jokainen každý každá všechny fiecare toate minden setiap semua κάθε كل כל हर',
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
  'no keine kein keinerlei pas aucun aucune nada ningún ninguna niente nessun nessuna nenhum nenhuma никаких никакой жодних żadnych żadne żadnego geen inga ingen ingen žádné fără',
)
/** Who begins so tells of something. */
const tellers = wordSet(
  'i it he she they there this that these those you ich er sie es je il elle ça ce on yo él ella io lui lei eu ele ela я он она оно це я він вона ja on ona ik hij zij het jag han hon det',
)
const wants = wordSet(
  'möchte veux voudrais quiero prefiero voglio vorrei quero хочу chcę istiyorum istemiyorum vill vil haluan chci vreau akarok ingin θέλω أريد רוצה चाहता चाहती',
)
/** In languages whose word for it means something else in others. */
const iWant =
  /^\W*(?:i|we)(?:['’]d| would)? (?:like|want|prefer|expect|rather)\b|^\W*ich will\b|^\W*ik wil\b/
/** Courtesy, and what joins sentences. */
const leading = wordSet(
  'please and also but so ok okay pls btw bitte und auch por favor y e ed et svp пожалуйста и та і proszę i graag en lütfen ve tack och vær så snill',
)
/** They say what is so, although they begin with “no”. */
const idioms =
  /^(?:\p{L}+,|no (?:problem|worries|idea|issues?|luck|rush|hurry|need|doubt|wonder|one|it|i|we|that|this|the|but|not|thanks|longer|results?|matches|changes|errors?)\b|nada más|niente di|kein problem|keine (?:ahnung|sorge|zeit|fehler)|pas de (?:souci|problème)|geen (?:probleem|idee))/u

/** “No” begins sentences in Spanish, too: in English, things follow it. */
const manyThings = /^\W*(?:\w+ )*no (?:[a-z-]+ ){0,2}[a-z-]+s\b/

const haveTo = /\b(?:has|have) to\b|^\W*all [a-z -]{2,30} (?:as|in|with) \S/
const nobody = wordSet(
  'nothing nobody rien personne nichts niemand nada nadie niente nessuno ничего никто nic nikt niets niemand',
)
/** From here on, in several words. */
const fromNowOn =
  /\b(?:à partir de maintenant|bundan sonra|daqui (?:pra|para a?) ?frente|d['’]ora in poi|od teraz|vanaf nu|från och med nu|mulai sekarang|as a rule)\b|с этого момента|من الآن فصاعدا/

/** “Tests first, then code”: things alone, without a verb that would make it a step. */
const inOrder =
  /^(?:(?:\p{L}+ )?\p{L}+s? first, then (?:the )?\p{L}+(?: \p{L}+)?|(?:erst|zuerst|d['’]abord|primero|prima|eerst|först) (?:die|der|das|les?|las?|los|el|il|i|gli|de|het) \p{L}+, (?:dann|puis|ensuite|luego|después|poi|dan|sedan) (?:die|der|das|les?|las?|los|el|il|i|gli|de|het) \p{L}+)[.!]?$/u

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
  if (fromNowOn.test(lower) || inOrder.test(lower.trim())) return true
  const all =
    lower
      .normalize('NFC')
      .replace(/n['’]t\b/g, ' not')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  const start = all.findIndex((word) => !leading.has(word))
  const found = start < 0 ? [] : all.slice(start)
  if (found.length < 3 || found.length > mostWords) return false
  const [first = ''] = found
  const has = (some: ReadonlySet<string>): boolean => found.some((word) => some.has(word))
  const ends = [...found.slice(0, 3), found.at(-1) ?? '']
  if (iWant.test(lower) || ends.some((word) => wants.has(word))) return has(every) || has(notOf)
  const isIdiom = idioms.test(lower)
  if (none.has(first) && found.length <= mostWithoutVerb && !isIdiom)
    return first !== 'no' || manyThings.test(lower)
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
  if (nobody.has(first) && has(before)) return true
  const [, contrast] = lower.split(/, (?=\p{L})/u)
  const opposes = contrast !== undefined && notOf.has(/^\p{L}+/u.exec(contrast)?.[0] ?? '')
  return opposes && has(here)
}

/** “Ask me …” at the beginning, or at the end where verbs stand last. */
function isAskedOfMe(found: readonly string[]): boolean {
  const near = [...found.slice(0, 4), ...found.slice(-3)]
  return near.some((word) => me.has(word) || endsInMe.test(word))
}
