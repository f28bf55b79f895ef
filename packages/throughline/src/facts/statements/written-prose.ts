import { isProse } from './prose.ts'

/** How much of a command line or of an edit is searched for prose. */
const WINDOW = 40_000

/** What a command passes on for people to read. */
export interface PassedOn {
  text: string
  /** The command with what it is about, as in `gh pr comment 12`; '' where nobody can tell. */
  by: string
}

/**
 * The texts that a command line passes on for people to read: the message of a commit, the body of
 * a pull request, a note. They are the values of options named so, and here-documents of prose.
 */
export function proseInCommand(command: string): PassedOn[] {
  const text = command.slice(0, WINDOW)
  const found: PassedOn[] = []
  const lines = text.split('\n')
  const outside: string[] = []
  const passOn = (body: readonly string[], next: number): void => {
    const text = body.join('\n').trim()
    if (!isProse(text)) return
    const by = readerOf(outside.at(-1) ?? '', lines, next) ?? commandAt(outside.join('\n'))
    found.push({ text, by })
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    outside.push(line)
    const end = /<<-?\s{0,4}(['"]?)([A-Za-z_]\w{0,40})\1/.exec(line)?.[2]
    if (end === undefined) continue
    const body: string[] = []
    while (at + 1 < lines.length && lines[at + 1]?.trim() !== end) body.push(lines[++at] ?? '')
    at++
    if (!PROGRAM.test(line.slice(0, 400))) passOn(body, at + 1)
  }
  const rest = outside.join('\n')
  for (const { value, at } of messageValues(rest)) {
    if (isProse(value)) found.push({ text: value.trim(), by: commandAt(rest.slice(0, at)) })
  }
  return found
}

/** `BODY=$(cat <<'EOF'` keeps a text for a command below. */
const KEPT_AS = /(?:^|[\s;])(\w{1,60})="?\$\(cat <<.{0,40}\s{0,8}$/

/** The command that a text is handed to which the line before it keeps in a variable. */
function readerOf(line: string, lines: readonly string[], next: number): string | undefined {
  const name = KEPT_AS.exec(line.slice(-200))?.[1]
  if (name === undefined) return undefined
  const use = new RegExp(String.raw`\$\{?${name}\b`)
  for (const later of lines.slice(next)) {
    const at = use.exec(later)?.index
    if (at !== undefined) return commandAt(later.slice(0, at).replace(/["']$/, ''))
  }
  return ''
}

/** More words or longer ones say less about a command than its first ones. */
const MOST_WORDS = 4
const LONGEST_NAME = 120
const MOST_SEGMENTS = 4

/** The program that the end of a command line belongs to, with the words before its options. */
function commandAt(before: string): string {
  const own = before.slice(startOfCommand(before)).replaceAll(/\\\n/g, ' ').trim().split(/\s+/)
  const words = own.slice(own.findIndex((word) => !/^[A-Za-z_]\w{0,80}=/.test(word)))
  const end = words.findIndex((word) => /^(?:-|<<|["'@$(])/.test(word))
  const named = words.slice(0, end < 0 ? words.length : end).slice(0, MOST_WORDS)
  const name = named.map(lastSegments).join(' ')
  // Where options come first, what is done comes behind them.
  return named.length < 2 || name.length > LONGEST_NAME || /[:`\n]/.test(name) ? '' : name
}

/** The end of a long path tells what it is about. */
function lastSegments(word: string): string {
  const segments = word.split('/')
  return segments.length <= MOST_SEGMENTS ? word : `…/${segments.slice(-MOST_SEGMENTS).join('/')}`
}

/** A command does not begin so many characters before what it passes on. */
const FARTHEST = 4_000

/** Where the last simple command of a command line begins. */
function startOfCommand(text: string): number {
  let start = Math.max(text.length - FARTHEST, 0)
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"' || character === "'") {
      const end = closingQuote(text, at)
      // What is left open goes on behind the end, and belongs to the command that opened it.
      if (end >= text.length) return start
      at = end
    } else if (character === '\\') at++
    else if (';|&\n('.includes(character)) start = at + 1
  }
  return start
}

/** What reads a here-document as a program. */
const PROGRAM =
  /\b(?:python[\d.]{0,4}|node|ruby|perl|php|deno|bun|bash|sh|zsh|psql|sqlite3|mysql|jq|awk|pwsh)\b[^|;]{0,200}<</

const MESSAGE_OPTION =
  /(?:^|\s)(?:-[a-z]{0,3}m|--?(?:[a-z-]{0,20}(?:message|body|title|desc|description|notes?|reason|subject|comment|summary)))[ =]$|[\s'"](?:body|title|message|description|comment|text)=$/i

/** The quoted values of options whose names say that they are messages. */
function messageValues(text: string): { value: string; at: number }[] {
  const values: { value: string; at: number }[] = []
  let at = 0
  while (at < text.length) {
    const quote = text[at]
    if (quote !== '"' && quote !== "'") {
      at++
      continue
    }
    const end = closingQuote(text, at)
    const before = text.slice(Math.max(0, at - 40), at)
    // `-f body="…"` and `-f 'body=…'` pass the same field.
    const field = /^(?:body|title|message|description|comment|text)=/i.exec(
      text.slice(at + 1, at + 16),
    )
    const from = field ? at + 1 + field[0].length : at + 1
    if (field || MESSAGE_OPTION.test(before)) {
      values.push({ value: unescaped(text.slice(from, end), quote), at })
    }
    at = end + 1
  }
  return values.filter(({ value }) => !value.startsWith('$('))
}

function closingQuote(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) return at
  }
  return text.length
}

function unescaped(value: string, quote: string): string {
  return quote === '"' ? value.replace(/\\(["\\$`])/g, '$1') : value
}

const COMMENT = /^\s{0,60}(?:\/\/+!?|#+(?!!)|\*(?!\/)|\/\*\*?|--|;;)\s{0,8}(\S.*)$/
const FEWEST_WORDS_OF_A_COMMENT = 5

/** The comments in code that say something, one paragraph for each run of comment lines. */
export function commentsIn(code: string): string {
  const found: string[] = []
  let run: string[] = []
  const flush = (): void => {
    const text = run.join(' ').replace(/\s*\*\/\s*$/, '')
    if (text.split(' ').length >= FEWEST_WORDS_OF_A_COMMENT && isProse(text)) found.push(text)
    run = []
  }
  for (const line of code.slice(0, WINDOW).split('\n')) {
    const said = line.length > 600 ? undefined : COMMENT.exec(line)?.[1]?.trim()
    if (said === undefined || !/\p{L}{2}/u.test(said)) flush()
    else run.push(said.replace(/\s{0,4}\*\/$/, ''))
  }
  flush()
  return found.join('\n\n')
}
