import { asciiWeights, groupWeights, unitsPerToken } from './weights.ts'

/**
 * The automaton that reads a text for `estimateTokens`. Each UTF-16 unit has a class, and
 * everything read before it is summed up in a state. A state is the class of the last unit, except
 * that runs of spaces, newlines and digits have states of their own, because encoders turn a run of
 * spaces or newlines into one token and take digits in threes.
 */

const letters = 'abcdefghijklmnopqrstuvwxyz'
const marks = '_-./,:;\'"()[]{}<>=+*#@$%&|\\!?^~`'

/**
 * The characters of each ASCII class: every letter and mark has its own, and digits share one.
 * Characters not listed here are control characters, the first class.
 */
const ascii = ['', ' ', '\t', '\n', '\r', '0123456789'].concat([
  ...letters,
  ...letters.toUpperCase(),
  ...marks,
])

type Range = readonly [from: number, to: number]

/** Characters used only in traditional Chinese; encoders know fewer of those words. */
const traditional =
  '伍併來們傳僅價儲兒內兩冪刪剝劃勝匯匱區卻參啟喪單嗎嚴國圍圓圖團壓壞夢夾媽學實寫將專尋對屬巢師幫庫廢廳徑從愛應懼戰戶撰擁擇擊' +
  '據擴數斷於旗會林條榮樓樣檔檢權歡歲歷殘氣沒沾滿漸濟爭狀獨獲產當疊痩發皆碼禮稱簽籤級經網締總績繞繫續聯聲聽腦腳臉臨與舉萬蓋' +
  '藝處號蠻裝裡覑觸訊註詢誨說誼請謀證譯譽讀變讓讚費貼賣賦賽踐輔轉辯這逸遞遷遺還邊郵醫釋銀銘銷鋌錄錢錯鍵鎖鏈鐘鐵閉閒閱關陣' +
  '陰陳隊隨險隸雖雙雜雲靜頁預顏顧顯飛飯餘館駕驗體髮鬆魚鳥麗麵麼點'

/** Classes beyond ASCII; where ranges overlap, the later one counts. */
const beyondAscii: readonly (readonly Range[])[] = [
  // other script
  [[0x80, 0xffff]],
  // latin punctuation
  [[0x80, 0xbf]],
  // latin capital
  [[0xc0, 0xde]],
  // latin small
  [[0xdf, 0xff]],
  // times and divide
  [
    [0xd7, 0xd7],
    [0xf7, 0xf7],
  ],
  // latin extended
  [[0x100, 0x24f]],
  // vietnamese
  [[0x1ea0, 0x1eff], ...each('ĂăĐđƠơƯư')],
  // combining mark
  [[0x300, 0x36f]],
  // greek
  [
    [0x370, 0x3ff],
    [0x1f00, 0x1fff],
  ],
  // cyrillic capital
  [[0x400, 0x42f]],
  // cyrillic consonant
  [[0x430, 0x45f]],
  // cyrillic vowel
  [...each('аеёиоуыэюя')],
  // ukrainian
  [...each('іїєґІЇЄҐ')],
  // hebrew
  [[0x590, 0x5ff]],
  // arabic
  [
    [0x600, 0x6ff],
    [0x750, 0x77f],
    [0xfb50, 0xfdff],
    [0xfe70, 0xfeff],
  ],
  // devanagari
  [[0x900, 0x97f]],
  // indic
  [[0x980, 0xdff]],
  // thai
  [[0xe00, 0xe7f]],
  // general punctuation
  [[0x2000, 0x206f]],
  // symbol
  [
    [0x20a0, 0x24ff],
    [0x2900, 0x2bff],
  ],
  // box drawing
  [[0x2500, 0x259f]],
  // dingbat
  [
    [0x25a0, 0x27bf],
    [0xfe00, 0xfe0f],
  ],
  // cjk punctuation
  [
    [0x3000, 0x303f],
    [0xff00, 0xffef],
  ],
  // hiragana
  [[0x3040, 0x309f]],
  // katakana
  [[0x30a0, 0x30ff]],
  // han
  [[0x4e00, 0x9fff]],
  // han traditional
  [...each(traditional)],
  // hangul
  [[0xac00, 0xd7a3]],
  // high surrogate
  [[0xd800, 0xdbff]],
  // low surrogate
  [[0xdc00, 0xdfff]],
]

/** How many classes are ASCII; they come first. */
export const asciiCount = ascii.length
export const classCount = asciiCount + beyondAscii.length

const space = ascii.indexOf(' ')
const newline = ascii.indexOf('\n')
const digit = ascii.indexOf('0123456789')

/** States that are not classes: a further space or newline, a second and a third digit. */
const furtherSpace = classCount
const furtherNewline = classCount + 1
const secondDigit = classCount + 2
const thirdDigit = classCount + 3
export const stateCount = classCount + 4

/** A text begins as if it followed the end of a line. */
export const startState = newline

export function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const [index, characters] of ascii.entries()) {
    for (const character of characters) table[character.charCodeAt(0)] = index
  }
  for (const [index, ranges] of beyondAscii.entries()) {
    for (const [from, to] of ranges) table.fill(asciiCount + index, from, to + 1)
  }
  return table
}

/** The state after a unit of this class. */
export function nextState(state: number, unitClass: number): number {
  switch (unitClass) {
    case space:
      return state === space || state === furtherSpace ? furtherSpace : space
    case newline:
      return state === newline || state === furtherNewline ? furtherNewline : newline
    case digit:
      return state === digit ? secondDigit : state === secondDigit ? thirdDigit : digit
    default:
      return unitClass
  }
}

/** The groups of ASCII; every class beyond ASCII is its own group. */
const control = 0
const blank = 1
const digits = 2
const small = 3
const capital = 4
const mark = 5
const asciiGroups = 6
export const groupCount = asciiGroups + beyondAscii.length

/** The group of a state or class. If one of a pair is not ASCII, the pair's weight is theirs. */
export function groupOf(state: number): number {
  if (state >= asciiCount && state < classCount) return asciiGroups + state - asciiCount
  if (state >= secondDigit || state === digit) return digits
  if (state === furtherNewline) return control
  const characters = ascii[state] ?? ' '
  if (characters === ' ' || characters === '\t') return blank
  if (characters.trim() === '') return control
  if (letters.includes(characters)) return small
  return letters.includes(characters.toLowerCase()) ? capital : mark
}

function each(characters: string): Range[] {
  return [...characters].map((character) => [character.charCodeAt(0), character.charCodeAt(0)])
}

/** After this many units, the sum moves to a double, so that it stays a small integer. */
const block = 0x10000

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
let tables: Tables | undefined

interface Tables {
  classOf: ReturnType<typeof classTable>
  weights: Uint16Array
  next: Uint16Array
}

/**
 * Estimates the tokens of a text without a tokenizer. This is the default, without dependencies,
 * wherever a context is measured.
 *
 * It makes one pass: each UTF-16 unit adds a weight that depends on what came before it. The
 * weights are fitted to OpenAI's `o200k_base` on agent sessions, code, lists of paths and
 * identifiers, logs, encoded data and prose in 24 languages (`bench/tokens/fit.ts`). Other
 * vocabularies differ by a factor, which `calibrate` learns. Time is linear: 2 to 3 ms per million
 * characters. It accepts any string, including lone surrogates.
 *
 * @returns tokens: 0 for the empty text, else an integer of at least 1.
 * @example
 * estimateTokens('The quick brown fox jumps over the lazy dog.') // 11 (o200k_base: 10)
 */
export function estimateTokens(text: string): number {
  const length = text.length
  if (length === 0) return 0
  // Made for the first text: whoever only imports this module does not wait for them.
  const { classOf, weights, next } = (tables ??= pairTables())
  let total = 0
  let state = startState << 7
  for (let from = 0; from < length; from += block) {
    const to = Math.min(length, from + block)
    let sum = 0
    for (let index = from; index < to; index++) {
      const pair = state | (classOf[text.charCodeAt(index)] as number)
      sum += weights[pair] as number
      state = next[pair] as number
    }
    total += sum
  }
  return Math.max(1, Math.round(total / unitsPerToken))
}

/** `weights` and `next` are indexed by state << 7 | class; `next` holds states shifted likewise. */
function pairTables(): Tables {
  const weights = new Uint16Array(stateCount << 7)
  const next = new Uint16Array(stateCount << 7)
  const groupsOf = Array.from({ length: stateCount }, (_, state) => groupOf(state))
  const ofGroups = groupWeights.map((row) => row.match(/../g)?.map(number))
  const ownDigits = asciiWeights.map((row) => [...row].map(number))
  for (let state = 0; state < stateCount; state++) {
    const own = ownDigits[state < asciiCount ? state : state - classCount + asciiCount]
    const isAscii = state < asciiCount || state >= classCount
    const shared = ofGroups[groupsOf[state] as number] as number[]
    for (let unitClass = 0; unitClass < classCount; unitClass++) {
      const at = (state << 7) | unitClass
      const units = shared[groupsOf[unitClass] as number] as number
      const digit = isAscii ? own?.[unitClass] : undefined
      weights[at] = digit === undefined ? units : ((Math.round(Math.sqrt(units)) + digit) & 63) ** 2
      next[at] = nextState(state, unitClass) << 7
    }
  }
  return { classOf: classTable(), weights, next }
}

/** A number in base64 digits. */
function number(digits: string): number {
  let value = 0
  for (const digit of digits) value = value * 64 + base64.indexOf(digit)
  return value
}

/**
 * A value as the JSON that is sent. Never throws: what JSON can't represent (a cycle, a getter that
 * throws, a tree too deep) is left out, a BigInt is written as a number, and bytes as their size.
 * @example
 * wireText({ path: 'src/index.ts', limit: 10n }) // '{"path":"src/index.ts","limit":10}'
 */
export function wireText(value: unknown): string {
  try {
    return JSON.stringify(value, plain) ?? ''
  } catch {
    return withoutRepeats(value)
  }
}

function withoutRepeats(value: unknown): string {
  const seen = new WeakSet<object>()
  try {
    return (
      JSON.stringify(value, function (this: unknown, key, item: unknown) {
        if (typeof item !== 'object' || item === null) return plain.call(this, key, item)
        if (seen.has(item)) return undefined
        seen.add(item)
        return plain.call(this, key, item)
      }) ?? ''
    )
  } catch {
    return ''
  }
}

function plain(this: unknown, _key: string, item: unknown): unknown {
  if (typeof item === 'bigint') return Number(item)
  if (item instanceof ArrayBuffer || ArrayBuffer.isView(item)) return `${item.byteLength} bytes`
  return item
}
