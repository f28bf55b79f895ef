import { ConfigurationEditError } from './change.ts'

/** A value of a JSON5 text, with its place in it. */
export interface Json5Node {
  start: number
  end: number
  value: unknown
  members?: readonly Json5Member[]
  items?: readonly Json5Node[]
}

export interface Json5Member {
  key: string
  start: number
  node: Json5Node
}

/**
 * Reads JSON with comments, commas at ends, names without quotes, and strings in single quotes.
 * @throws ConfigurationEditError that names the line.
 */
export function json5Tree(text: string): Json5Node {
  let at = 0

  function fail(): never {
    const line = text.slice(0, at).split('\n').length
    throw new ConfigurationEditError(`line ${line} is not JSON5`)
  }

  function skip(): void {
    const blank = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
    blank.lastIndex = at
    at += blank.exec(text)?.[0].length ?? 0
  }

  function token(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  function stringOf(): string | undefined {
    const found = token(/"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y)
    return found === undefined ? undefined : unescaped(found.slice(1, -1))
  }

  function object(start: number): Json5Node {
    const members: Json5Member[] = []
    for (at++; ;) {
      skip()
      if (token(/\}/y)) break
      const begins = at
      const key = stringOf() ?? token(/[$\w\u00AA-\uFFFF]+/y) ?? fail()
      skip()
      if (!token(/:/y)) fail()
      members.push({ key, start: begins, node: value() })
      skip()
      if (!token(/,/y) && text[at] !== '}') fail()
    }
    const entries = members.map(({ key, node }) => [key, node.value] as const)
    return { start, end: at, value: Object.fromEntries(entries), members }
  }

  function list(start: number): Json5Node {
    const items: Json5Node[] = []
    for (at++; ;) {
      skip()
      if (token(/\]/y)) break
      items.push(value())
      skip()
      if (!token(/,/y) && text[at] !== ']') fail()
    }
    return { start, end: at, value: items.map((item) => item.value), items }
  }

  function value(): Json5Node {
    skip()
    const start = at
    if (text[at] === '{') return object(start)
    if (text[at] === '[') return list(start)
    const said = stringOf()
    if (said !== undefined) return { start, end: at, value: said }
    const word = token(/[-+.\w]+/y) ?? fail()
    return { start, end: at, value: words.has(word) ? words.get(word) : numberIn(word) }
  }

  function numberIn(word: string): number {
    const number = Number(word)
    return Number.isNaN(number) ? fail() : number
  }

  const root = value()
  skip()
  return at === text.length ? root : fail()
}

const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
])

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u([\da-f]{4})|x([\da-f]{2})|\r?\n|([\s\S]))/gi,
    (_, unicode?: string, hex?: string, sign?: string) => {
      const code = unicode ?? hex
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      return sign === undefined ? '' : (escapes[sign] ?? sign)
    },
  )
}
