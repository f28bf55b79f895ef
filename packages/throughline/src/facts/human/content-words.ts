import { isFunctionWord } from './demands/demands.ts'
import { unlabeled } from '../../log/speaker.ts'

const STOP = new Set(
  `the and you can may now that this with for from rule rules about what said told any anymore more
  again need have has longer not never always don dont please just also but only use forget ignore
  must should will would could want to it its is are was be on in at of or so if then when before
  after every each time ever into out our your my me all own make sure without asking ask first
  restriction requirement instruction instructions constraint earlier previous okay fine free feel
  ahead drop cancel lift mind back changed does did doing done let lets like than instead actually
  anything nothing everything thing things yet going forward wait rather limit cap ban
  yourself myself même partir
  usa usar usen usad utiliza utilizar utilise utiliser utilisez utilizza usare verwende verwenden benutze
  benutzen nimm используй gebruik använd límite limite grenze обмежен
  đừng không được luôn phải hãy chỉ dùng bây giờ rồi nữa cần quy tắc điều bằng tiếng cho phép thể
  никогда всегда теперь можно можешь больше нужно надо правило про забудь только обязательно
  có sekarang nunca siempre ahora puedes regla olvida más necesario hace falta solo que los las una por para
  nie immer jetzt kannst darfst nicht mehr regel vergiss bitte nur kein keine der die das und mit`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * The words of a sentence that say what it is about: without grammar and the name of who says it,
 * reduced to their stems.
 * Scripts without spaces are read in pairs of characters.
 */
export function contentWords(sentence: string): Set<string> {
  const words = new Set<string>()
  const text = unlabeled(sentence).toLowerCase().normalize('NFC')
  for (const [run] of text.matchAll(/[\p{L}\p{N}_./@-]{2,60}/gu)) {
    if (isInPairs(run)) addPairs(run, words)
    else addWord(run, words)
    // “Read-only” is “read only”, too.
    if (run.includes('-')) for (const part of run.split('-')) addWord(part, words)
  }
  return words
}

/** Whether a text is in a script whose words are read in pairs of characters. */
export function isInPairs(text: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(text)
}

function addWord(run: string, words: Set<string>): void {
  const bare = run.replace(/^[_./@-]+|[_./@-]+$/g, '')
  const word = stem(bare)
  if (word.length < 2 || STOP.has(word) || STOP.has(bare) || isFunctionWord(bare)) return
  words.add(word)
}

const grammarInPairs =
  /忘掉|忘记|限制|规则|要求|现在|今后|以后|已经|可以|不要|不能|必须|从现在开始|了$|이제|지금|ください|してもいい|今は/g

function addPairs(run: string, words: Set<string>): void {
  for (const [latin] of run.matchAll(/[a-z0-9_.-]{2,40}/g)) addWord(latin, words)
  const characters = [...run.replace(/[a-z0-9_./@-]/g, ' ').replace(grammarInPairs, ' ')]
  for (let at = 0; at + 1 < characters.length; at++) {
    const pair = `${characters[at]}${characters[at + 1]}`
    if (!pair.includes(' ') && !/^\p{Script=Hiragana}+$/u.test(pair)) words.add(pair)
  }
}

// What changes in the forms of a word comes after this, in most languages that change words at all.
const root = 6

/** A path, a file, a version: no word that has other forms. */
export const isName = /[\d./_]/

/** `pushing`, `pushed` and `pushes` are `push`; `commits` and `committing` are `commit`. */
function stem(word: string): string {
  if (isName.test(word)) return word
  if (word.length < 5)
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss')
      ? word.slice(0, -1)
      : word
  const bare = word.replace(/(?:ing|ed|(?<=[sxz]|ch|sh)es|(?<=[a-zäöü]{4})en|s)$/, '')
  if (bare.length < 3 || bare === word) return word.slice(0, root)
  const doubled = bare.length > 3 && bare.at(-1) === bare.at(-2) && /[bdgmnprt]$/.test(bare)
  return (doubled ? bare.slice(0, -1) : bare).slice(0, root)
}
