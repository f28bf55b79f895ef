/** Text as a reader of Markdown sees it: plain data, in which no HTML exists. */
export type Block =
  | { type: 'paragraph'; inline: Inline[] }
  | { type: 'heading'; level: number; inline: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { type: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { type: 'rule' }

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'em' | 'del'; inline: Inline[] }
  | { type: 'link'; href: string; inline: Inline[] }

// Nobody writes lists deeper than this; a hostile text does.
const deepest = 6
// A mark whose end is further away is no mark. It also keeps the whole linear.
const farthest = 1200
const mostCells = 24

/** Reads Markdown. What looks like HTML stays text. Its cost grows with the length of the text. */
export function parseMarkdown(text: string): Block[] {
  return parseLines(text.split('\n'), 0)
}

function parseLines(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    at = fence() ?? heading() ?? rule() ?? quote() ?? list() ?? table() ?? paragraph()
  }
  return blocks

  function lineAt(index: number): string {
    return lines[index] ?? ''
  }

  function fence(): number | undefined {
    const match = /^ {0,3}(`{3,20}|~{3,20})/.exec(lineAt(at))
    if (!match) return undefined
    const [, mark = ''] = match
    let end = at + 1
    while (end < lines.length && !closes(lineAt(end), mark)) end += 1
    blocks.push({ type: 'code', text: lines.slice(at + 1, end).join('\n') })
    return end + 1
  }

  function heading(): number | undefined {
    const match = /^ {0,3}(#{1,6})\s+(.*)$/.exec(lineAt(at))
    if (!match) return undefined
    const [, marks = '', text = ''] = match
    blocks.push({ type: 'heading', level: marks.length, inline: parseInline(text) })
    return at + 1
  }

  function rule(): number | undefined {
    if (!/^ {0,3}(?:-{3,200}|\*{3,200}|_{3,200})\s*$/.test(lineAt(at))) return undefined
    blocks.push({ type: 'rule' })
    return at + 1
  }

  function quote(): number | undefined {
    if (depth >= deepest || !isQuote(lineAt(at))) return undefined
    let end = at
    while (end < lines.length && isQuote(lineAt(end))) end += 1
    const inside = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ''))
    blocks.push({ type: 'quote', blocks: parseLines(inside, depth + 1) })
    return end
  }

  function list(): number | undefined {
    const first = depth < deepest ? itemAt(lineAt(at)) : undefined
    if (!first) return undefined
    const items: Block[][] = []
    let next = at
    while (next < lines.length) {
      const item = itemAt(lineAt(next))
      if (!item || item.ordered !== first.ordered || item.indent >= first.indent + 2) break
      const inside = [item.text]
      next += 1
      while (next < lines.length && belongs(next, item.content)) {
        inside.push(lineAt(next).slice(Math.min(item.content, indentOf(lineAt(next)))))
        next += 1
      }
      items.push(parseLines(inside, depth + 1))
    }
    blocks.push({ type: 'list', ordered: first.ordered, start: first.number, items })
    return next
  }

  /** A line of the same item: indented, or blank with an indented one behind it. */
  function belongs(index: number, content: number): boolean {
    const line = lineAt(index)
    if (line.trim() !== '') {
      return indentOf(line) >= content || (!itemAt(line) && !isBlock(line) && isText(index - 1))
    }
    return index + 1 < lines.length && indentOf(lineAt(index + 1)) >= content && isText(index + 1)
  }

  function isText(index: number): boolean {
    return lineAt(index).trim() !== ''
  }

  function table(): number | undefined {
    const delimiter = lineAt(at + 1)
    if (!lineAt(at).includes('|') || !delimiter.includes('|')) return undefined
    if (!/^[\s|:-]{3,400}$/.test(delimiter) || !delimiter.includes('-')) return undefined
    let end = at + 2
    while (end < lines.length && lineAt(end).includes('|')) end += 1
    const rows = lines.slice(at + 2, end).map(cellsOf)
    blocks.push({ type: 'table', head: cellsOf(lineAt(at)), rows })
    return end
  }

  function paragraph(): number {
    let end = at + 1
    while (end < lines.length && isText(end) && !isBlock(lineAt(end))) end += 1
    const text = lines.slice(at, end).join('\n')
    blocks.push({ type: 'paragraph', inline: parseInline(text) })
    return end
  }
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim()
  return trimmed.startsWith(mark) && [...trimmed].every((sign) => sign === mark[0])
}

function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line)
}

function isBlock(line: string): boolean {
  return /^ {0,3}(?:`{3}|~{3}|#{1,6}\s|>)/.test(line) || itemAt(line) !== undefined
}

interface Item {
  ordered: boolean
  number: number
  indent: number
  /** Where its text begins. */
  content: number
  text: string
}

function itemAt(line: string): Item | undefined {
  const match = /^(\s{0,40})([-*+]|(\d{1,9})[.)])\s+(?=\S)/.exec(line)
  if (!match) return undefined
  const [all, indent = '', , number] = match
  return {
    ordered: number !== undefined,
    number: Number(number ?? 1),
    indent: indent.length,
    content: all.length,
    text: line.slice(all.length),
  }
}

function indentOf(line: string): number {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t') at += 1
  return at
}

function cellsOf(line: string): Inline[][] {
  const cells = line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split('|', mostCells)
  return cells.map((cell) => parseInline(cell.trim()))
}

const marks = /[`*_~[\]!h\\]/g

/** The words of a paragraph with their emphasis, code and links. */
export function parseInline(text: string, depth = 0): Inline[] {
  const inline: Inline[] = []
  let said = 0
  let at = 0
  const add = (node: Inline, next: number): void => {
    say(at)
    inline.push(node)
    said = next
    at = next
  }
  const say = (end: number): void => {
    if (end > said) inline.push({ type: 'text', text: text.slice(said, end) })
  }
  while (at < text.length) {
    marks.lastIndex = at
    const found = marks.exec(text)
    if (!found) break
    at = found.index
    const [node, next] = markAt(text, at, depth) ?? []
    if (node && next !== undefined) add(node, next)
    else at += 1
  }
  say(text.length)
  return inline
}

function markAt(text: string, at: number, depth: number): [Inline, number] | undefined {
  switch (text[at]) {
    case '`':
      return codeAt(text, at)
    case '*':
    case '_':
    case '~':
      return depth < deepest ? emphasisAt(text, at, depth) : undefined
    case '[':
    case '!':
      return depth < deepest ? linkAt(text, at, depth) : undefined
    case 'h':
      return bareLinkAt(text, at)
    default:
      return undefined
  }
}

function near(text: string, mark: string, from: number): number {
  const found = text.slice(from, from + farthest).indexOf(mark)
  return found === -1 ? -1 : from + found
}

function codeAt(text: string, at: number): [Inline, number] | undefined {
  let length = 1
  while (text[at + length] === '`' && length < 8) length += 1
  const mark = '`'.repeat(length)
  const end = near(text, mark, at + length)
  if (end === -1) return undefined
  return [{ type: 'code', text: text.slice(at + length, end) }, end + length]
}

function emphasisAt(text: string, at: number, depth: number): [Inline, number] | undefined {
  const sign = text[at] ?? ''
  const double = text[at + 1] === sign
  if (sign === '~' && !double) return undefined
  const mark = double ? sign + sign : sign
  const from = at + mark.length
  // `a * b` and `snake_case` are no emphasis.
  if (!/\S/.test(text[from] ?? ' ')) return undefined
  if (sign === '_' && /\w/.test(text[at - 1] ?? ' ')) return undefined
  const end = near(text, mark, from + 1)
  if (end === -1 || !/\S/.test(text[end - 1] ?? ' ')) return undefined
  if (sign === '_' && /\w/.test(text[end + mark.length] ?? ' ')) return undefined
  const type = sign === '~' ? 'del' : double ? 'strong' : 'em'
  return [{ type, inline: parseInline(text.slice(from, end), depth + 1) }, end + mark.length]
}

function linkAt(text: string, at: number, depth: number): [Inline, number] | undefined {
  const from = text[at] === '!' ? at + 1 : at
  if (text[from] !== '[') return undefined
  const close = near(text, '](', from + 1)
  if (close === -1) return undefined
  const end = near(text, ')', close + 2)
  if (end === -1) return undefined
  const href = safeLink(text.slice(close + 2, end).split(/\s/, 1)[0] ?? '')
  const label = text.slice(from + 1, close)
  const inline = parseInline(label, depth + 1)
  if (href === undefined) return [{ type: 'em', inline }, end + 1]
  return [{ type: 'link', href, inline }, end + 1]
}

function bareLinkAt(text: string, at: number): [Inline, number] | undefined {
  if (!text.startsWith('https://', at) && !text.startsWith('http://', at)) return undefined
  const [found = ''] = /^[^\s<>"'`()[\]{}|\\^]+/.exec(text.slice(at, at + farthest)) ?? []
  const bare = found.replace(/[.,;:!?*_~]+$/, '')
  const href = safeLink(bare)
  if (href === undefined) return undefined
  return [{ type: 'link', href, inline: [{ type: 'text', text: bare }] }, at + bare.length]
}

/** A link that leads to a page or a letter; anything that could run is none. */
export function safeLink(href: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return undefined
  if (!URL.canParse(href)) return undefined
  const { protocol, href: whole } = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? whole : undefined
}
