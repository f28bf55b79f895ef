type State = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'end'

const space = /[ \t\r\n]*/y
const token = new RegExp(
  [
    '[{}\\[\\]:,]',
    '"(?:[^"\\\\\\u0000-\\u001F]|\\\\(?:["\\\\/bfnrt]|u[\\dA-Fa-f]{4}))*"',
    'true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[Ee][+-]?\\d+)?',
  ].join('|'),
  'y',
)

/**
 * Where a text stops being JSON, and what should stand there. Node itself says where only for
 * some mistakes.
 * @example
 * jsonProblem('{"a": }') // 'line 1, column 7: expected a value, found "}".'
 */
export function jsonProblem(text: string): string {
  const closers: string[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    at = endOf(space, text, at)
    const end = endOf(token, text, at)
    const next: State | undefined = stateAfter(text.slice(at, end), state, closers)
    if (next === undefined) {
      return `${position(text, at)}: expected ${expected(state, closers)}, found ${found(text, at)}.`
    }
    state = next
    at = end
  }
}

/** Where a pattern that begins here ends; here if it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** What is expected behind a token; `undefined` if it may not stand there, as none may. */
function stateAfter(piece: string, state: State, closers: string[]): State | undefined {
  const behindValue = (): State => (closers.length === 0 ? 'end' : 'next')
  if (piece === '') return undefined
  if (state !== 'value' && state !== 'key' && piece === closers.at(-1)) {
    closers.pop()
    return behindValue()
  }
  if (state === 'colon') return piece === ':' ? 'value' : undefined
  if (state === 'next' && piece === ',') return closers.at(-1) === '}' ? 'key' : 'value'
  if (state === 'next' || state === 'end') return undefined
  if (state === 'key' || state === 'first key') return piece.startsWith('"') ? 'colon' : undefined
  if (/^[}\]:,]/.test(piece)) return undefined
  if (piece !== '{' && piece !== '[') return behindValue()
  closers.push(piece === '{' ? '}' : ']')
  return piece === '{' ? 'first key' : 'first value'
}

function expected(state: State, closers: readonly string[]): string {
  const closer = `"${closers.at(-1) ?? ''}"`
  const texts: Readonly<Record<State, string>> = {
    value: 'a value',
    'first value': `a value or ${closer}`,
    key: 'a key in double quotes',
    'first key': `a key in double quotes or ${closer}`,
    colon: '":"',
    next: `"," or ${closer}`,
    end: 'nothing more',
  }
  return texts[state]
}

const longest = 20

function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the file'
  const line = text.slice(at, at + longest + 1).split(/[\r\n]/, 1)[0] ?? ''
  return JSON.stringify(line.length > longest ? `${line.slice(0, longest)}…` : line)
}

function position(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
