import { isProse } from './prose.ts'

/** How much of a command line or of an edit is searched for prose. */
const WINDOW = 40_000

/**
 * The texts that a command line passes on for people to read: the message of a commit, the body of
 * a pull request, a note. They are the values of options named so, and here-documents of prose.
 */
export function proseInCommand(command: string): string[] {
  const text = command.slice(0, WINDOW)
  const found: string[] = []
  const lines = text.split('\n')
  const outside: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    outside.push(line)
    const closing = hereString(line)
    if (closing !== undefined) {
      const body: string[] = []
      while (at + 1 < lines.length && lines[at + 1]?.startsWith(closing) !== true) {
        body.push(lines[++at] ?? '')
      }
      const behind = lines[at + 1] ?? ''
      if (!PIPED.test(behind.slice(0, 200)) && isProse(body.join('\n'))) found.push(body.join('\n'))
      continue
    }
    const end = /<<-?\s{0,4}(['"]?)([A-Za-z_]\w{0,40})\1/.exec(line)?.[2]
    if (end === undefined) continue
    const body: string[] = []
    while (at + 1 < lines.length && lines[at + 1]?.trim() !== end) body.push(lines[++at] ?? '')
    at++
    if (!PROGRAM.test(line.slice(0, 400)) && isProse(body.join('\n'))) found.push(body.join('\n'))
  }
  for (const value of messageValues(outside.join('\n'))) if (isProse(value)) found.push(value)
  return found.map((value) => value.trim())
}

/** How the here-string of PowerShell ends that begins at the end of a line. */
function hereString(line: string): string | undefined {
  const mark = /@(['"])\s{0,8}$/.exec(line)?.[1]
  return mark === undefined ? undefined : `${mark}@`
}

/** Such a string goes to a program. */
const PIPED = /^['"]@\s{0,8}\|\s{0,8}(?:python[\d.]{0,4}|node|sqlite3|psql|mysql|jq|pwsh|iex)\b/

/** What reads a here-document as a program. */
const PROGRAM =
  /\b(?:python[\d.]{0,4}|node|ruby|perl|php|deno|bun|bash|sh|zsh|psql|sqlite3|mysql|jq|awk|pwsh)\b[^|;]{0,200}<</

const MESSAGE_OPTION =
  /(?:^|\s)(?:-[a-z]{0,3}m|--?(?:[a-z-]{0,20}(?:message|body|title|desc|description|notes?|reason|subject|comment|summary)))[ =]$|[\s'"](?:body|title|message|description|comment|text)=$/i

/** The quoted values of options whose names say that they are messages. */
function messageValues(text: string): string[] {
  const values: string[] = []
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
    if (field) values.push(unescaped(text.slice(at + 1 + field[0].length, end), quote))
    else if (MESSAGE_OPTION.test(before)) values.push(unescaped(text.slice(at + 1, end), quote))
    at = end + 1
  }
  return values.filter((value) => !value.startsWith('$('))
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
