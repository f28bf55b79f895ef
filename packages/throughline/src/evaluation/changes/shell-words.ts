/** One simple command of a shell line, as far as it can be read without running it. */
export interface SimpleCommand {
  words: ShellWord[]
  /** Files that `>` or `>>` writes. */
  writes: ShellWord[]
}

export interface ShellWord {
  text: string
  /** It holds a variable, a glob or a substitution: what it names cannot be known. */
  dynamic: boolean
}

/** Takes a shell line apart into simple commands; quotes, redirects and heredocs are understood. */
export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let command: SimpleCommand = { words: [], writes: [] }
  let redirect = false
  const finish = (): void => {
    if (command.words.length > 0 || command.writes.length > 0) commands.push(command)
    command = { words: [], writes: [] }
    redirect = false
  }
  const text = withoutHeredocs(line)
  let index = 0
  while (index < text.length) {
    const char = text[index] as string
    if (char === '\\' && text[index + 1] === '\n') index += 2
    else if (char === ' ' || char === '\t') index++
    else if (';|&\n()'.includes(char) && !(char === '&' && text[index + 1] === '>')) {
      finish()
      index++
    } else if (char === '#' && /\s/.test(text[index - 1] ?? '\n')) {
      index = endOfLine(text, index)
    } else if (char === '>') {
      redirect = true
      while (text[index] === '>' || text[index] === '|') index++
    } else if (char === '<' || char === '&') {
      index++
    } else {
      const { word, end } = readWord(text, index)
      const descriptor = redirect ? /^&?\d*$/.test(word.text) : false
      if (redirect && !descriptor) command.writes.push(word)
      else if (!redirect && !(/^\d$/.test(word.text) && text[end] === '>')) command.words.push(word)
      redirect = false
      index = end
    }
  }
  finish()
  return commands
}

function readWord(text: string, start: number): { word: ShellWord; end: number } {
  let value = ''
  let dynamic = false
  let index = start
  while (index < text.length && !' \t\n;|&()<>'.includes(text[index] as string)) {
    const char = text[index] as string
    if (char === "'") {
      const close = text.indexOf("'", index + 1)
      const end = close < 0 ? text.length : close
      value += text.slice(index + 1, end)
      index = end + 1
    } else if (char === '"') {
      index++
      while (index < text.length && text[index] !== '"') {
        if (text[index] === '\\') index++
        else if (text[index] === '$' || text[index] === '`') dynamic = true
        value += text[index] ?? ''
        index++
      }
      index++
    } else if (char === '\\') {
      value += text[index + 1] ?? ''
      index += 2
    } else {
      if ('$`*?{['.includes(char)) dynamic = true
      value += char
      index++
    }
  }
  return { word: { text: value, dynamic }, end: Math.max(index, start + 1) }
}

/** Heredoc bodies are data: they are left out. */
function withoutHeredocs(line: string): string {
  const lines = line.split('\n')
  const kept: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const current = lines[index] as string
    kept.push(current.replace(/<<-?\s*(['"]?)\w+\1/g, ''))
    const mark = /<<-?\s*(['"]?)(\w+)\1/.exec(current)?.[2]
    if (mark === undefined) continue
    while (index + 1 < lines.length && lines[index + 1]?.trim() !== mark) index++
    index++
  }
  return kept.join('\n')
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}
