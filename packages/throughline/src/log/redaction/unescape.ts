import { charactersOf, type Character } from './characters.ts'
import { Decoding, type Reading } from './reading.ts'

// One escape of any kind. Each alternative is bounded or consumes what it repeats, so that the time
// grows with the text. In order: backslashes (JSON, JavaScript, C, shells), percent signs (URLs,
// forms), entities (HTML, XML), quotes within quotes (shells, SQL, CSV), carets and backticks (cmd,
// PowerShell).
const anyEscape = new RegExp(
  [
    String.raw`(?:\\x[\da-fA-F]{2})+|(?:\\[0-3][0-7]{2})+`,
    String.raw`\\(?:u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\r?\n|[^])`,
    String.raw`%u[\da-fA-F]{4}|(?:%[\da-fA-F]{2})+`,
    String.raw`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{2,7});?`,
    String.raw`'\\''|'"'"'|''|""`,
    String.raw`\^[&|<>^()%!"]|` + '`[$`"\'#{}]',
  ].join('|'),
  'g',
)

/** What may begin an escape: a text without one reads the same. */
const begins = /[\\%&'"^`]/

// What nobody sees: colors and other orders to a terminal, characters without width, and every
// second byte of UTF-16.
const anyInvisible = new RegExp(
  [
    String.raw`\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[ -/]{0,4}[0-~])`,
    // A character that is typed over.
    String.raw`[^\n\b]\x08`,
    String.raw`[\0\p{Default_Ignorable_Code_Point}\ufeff]+`,
  ].join('|'),
  'gu',
)
const holdsInvisible = /[\x1b\0\b\p{Default_Ignorable_Code_Point}\ufeff]/u

/** The text as it looks in a terminal; `undefined` if all of it is seen. */
export function visible(reading: Reading): Reading | undefined {
  if (!holdsInvisible.test(reading.text)) return undefined
  const decoding = new Decoding(reading)
  let end = 0
  for (const { 0: found, index } of reading.text.matchAll(anyInvisible)) {
    decoding.copy(end, index)
    end = index + found.length
  }
  if (end === 0) return undefined
  decoding.copy(end, reading.text.length)
  return decoding.reading('escaped')
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
  E: '\u001b',
  '0': '\0',
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  sol: '/',
  bsol: '\\',
  colon: ':',
  semi: ';',
  comma: ',',
  period: '.',
  plus: '+',
  equals: '=',
  num: '#',
  excl: '!',
  quest: '?',
  commat: '@',
  dollar: '$',
  percnt: '%',
  ast: '*',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  vert: '|',
  verbar: '|',
  lowbar: '_',
  hyphen: '-',
  tilde: '~',
  hat: '^',
  grave: '`',
  tab: '\t',
  newline: '\n',
}

/**
 * The text with one layer of escapes taken off, whatever their kinds; `undefined` if it has none.
 */
export function unescaped(reading: Reading): Reading | undefined {
  const { text } = reading
  if (!begins.test(text)) return undefined
  const decoding = new Decoding(reading)
  let end = 0
  let changed = false
  for (const match of text.matchAll(anyEscape)) {
    const escape = match[0]
    const { index } = match
    const meant = meaning(escape)
    if (meant === undefined) continue
    decoding.copy(end, index)
    if (typeof meant === 'string') decoding.put(meant, index, index + escape.length)
    else for (const { text, from, to } of meant) decoding.put(text, index + from, index + to)
    end = index + escape.length
    changed = true
  }
  if (!changed) return undefined
  decoding.copy(end, text.length)
  return decoding.reading('escaped')
}

// Quoted-printable, and CSS: in most texts, what looks like one of these is none, so each is taken off
// alone.
const rareEscapes = [/(?:=[\dA-F]{2})+|=\r?\n/g, /\\[\da-fA-F]{1,6}[ \t\n]?/g]

/** The same of escapes that most texts do not have, where an equals sign or a backslash is itself. */
export function rarelyUnescaped(reading: Reading): Reading[] {
  const { text } = reading
  return rareEscapes.flatMap((escapes) => {
    const decoding = new Decoding(reading)
    let end = 0
    for (const { 0: escape, index } of text.matchAll(escapes)) {
      const meant = ofRareEscape(escape)
      if (meant === undefined) continue
      decoding.copy(end, index)
      end = index + escape.length
      for (const { text, from, to } of meant) decoding.put(text, index + from, index + to)
    }
    if (end === 0) return []
    decoding.copy(end, text.length)
    return [decoding.reading('escaped')]
  })
}

function ofRareEscape(escape: string): readonly Character[] | undefined {
  if (escape[0] === '=') return escape.length > 2 ? bytesAt(escape, '=3D'.length, 1, 16) : []
  const text = codePoint(escape.slice(1).trim(), 16)
  return text === undefined ? undefined : [{ text, from: 0, to: escape.length }]
}

function meaning(escape: string): string | readonly Character[] | undefined {
  switch (escape[0]) {
    case '\\':
      return ofBackslash(escape)
    case '%':
      return escape[1] === 'u' ? codePoint(escape.slice(2), 16) : bytesAt(escape, 3, 1, 16)
    case '&':
      return ofEntity(escape)
    case "'":
      return "'"
    case '"':
      return '"'
    default:
      return escape[1]
  }
}

function ofBackslash(escape: string): string | readonly Character[] | undefined {
  const kind = escape[1] as string
  if (kind === 'x' && escape.length > 3) return bytesAt(escape, 4, 2, 16)
  if (/^\\[0-3][0-7]{2}/.test(escape)) return bytesAt(escape, 4, 1, 8)
  if ((kind === 'u' || kind === 'U') && escape.length > 2) {
    return codePoint(escape.replace(/[^\da-fA-F]/g, ''), 16)
  }
  if (kind === '\n' || kind === '\r') return ''
  return letters[kind] ?? kind
}

function ofEntity(escape: string): string | undefined {
  const name = escape.slice(1).replace(';', '')
  if (name.startsWith('#x') || name.startsWith('#X')) return codePoint(name.slice(2), 16)
  if (name.startsWith('#')) return codePoint(name.slice(1), 10)
  return entities[name.toLowerCase()]
}

function codePoint(digits: string, radix: number): string | undefined {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** The characters of bytes that are each written in `width` characters, the digits from `skip` on. */
function bytesAt(escape: string, width: number, skip: number, radix: number): Character[] {
  const bytes: number[] = []
  for (let at = 0; at < escape.length; at += width) {
    bytes.push(Number.parseInt(escape.slice(at + skip, at + width), radix))
  }
  return charactersOf(bytes).map(({ text, from, to }) => ({
    text,
    from: from * width,
    to: to * width,
  }))
}
