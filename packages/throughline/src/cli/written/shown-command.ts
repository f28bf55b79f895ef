import { sanitizeLine } from '../../log/sanitize.ts'

/** Commands as they can be given to a shell, the first of which goes to their directory. */
export function shownCommands(
  commands: readonly (readonly string[])[],
  directory: string,
  { cwd, isWindows = process.platform === 'win32' }: { cwd: string; isWindows?: boolean },
): string[] {
  const lines = commands.map((words) => words.map((word) => quoted(word, isWindows)).join(' '))
  const there = directory === cwd ? '' : `cd ${quoted(directory, isWindows)} && `
  return lines.map((line, index) => sanitizeLine(index === 0 ? `${there}${line}` : line))
}

function quoted(word: string, isWindows: boolean): string {
  if (isWindows) return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '')}"`
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
