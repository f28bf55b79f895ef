import { parse } from 'smol-toml'
import { ConfigurationEditError, type TomlBlocks } from './change.ts'

const begin = '# throughline begins here; "throughline uninstall" takes it away again'
const end = '# throughline ends here'

/**
 * A configuration with our lines between marks, and everything else byte for byte as it was. The
 * same lines again change nothing.
 * @throws ConfigurationEditError if the text is no TOML, or already says what our lines say.
 */
export function withTomlBlocks(text: string, { top = [], end: last = [] }: TomlBlocks): string {
  checkToml(text, (reason) => reason)
  const bare = withoutTomlBlocks(text)
  const eol = bare.includes('\r\n') ? '\r\n' : '\n'
  const block = (lines: readonly string[]): string =>
    lines.length === 0 ? '' : [begin, ...lines, end, ''].join(eol)
  const gap = bare === '' || bare.endsWith('\n') || last.length === 0 ? '' : eol
  const now = `${block(top)}${bare}${gap}${block(last)}`
  checkToml(now, (reason) => `it already says something else there (${reason})`)
  return now
}

/** The configuration without our lines. A line end that they needed before them stays. */
export function withoutTomlBlocks(text: string): string {
  const lines = text.split(/(?<=\n)/)
  let inside = false
  return lines
    .filter((line) => {
      const marked = line.trimEnd()
      if (marked === begin) inside = true
      const ours = inside
      if (marked === end) inside = false
      return !ours
    })
    .join('')
}

function checkToml(text: string, told: (reason: string) => string): void {
  try {
    parse(text)
  } catch (cause) {
    const [reason = ''] = String((cause as Error).message).split('\n', 1)
    throw new ConfigurationEditError(told(reason), { cause })
  }
}

export function tomlString(text: string): string {
  // JSON's escapes are TOML's, but for the delete character.
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
