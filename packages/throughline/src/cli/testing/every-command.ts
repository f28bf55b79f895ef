import { join } from 'node:path'
import { commands } from '../commands.ts'

/** Every command that reads a file, as somebody calls it. What it writes goes into the folder. */
export const onFile = (file: string, folder: string): string[][] => [
  ['compact', file, '--keep', '3k'],
  ['compact', file, '--window', '16k', '--json'],
  ['compact', file, '--window', '16k', '--dry-run'],
  ['report', '--fill', file],
  ['report', file, '-o', join(folder, 'report.html')],
  ['report', '--diff', file],
  ['report', '--history', file],
  ['recall', file, 'error'],
  ['recall', file, '3'],
  ['compact', file, '--to', 'codex', '-o', join(folder, 'codex.jsonl')],
  ['resume', file, '--print', '--in', 'codex'],
  ['exam', file],
  ['import', file, '--as', 'imported'],
]

/** The same for a session in the store that is named `imported`. */
export const onStore = (folder: string): string[][] => [
  ['list', '--stored'],
  ['report', '--history', 'imported'],
  ['compact', 'imported', '--window', '16k'],
  ['pin', 'imported', 'Never deploy on a Friday.'],
  ['undo', 'imported'],
  ['redact', 'imported', '--secret', 'ghp_abcdefghijklmnop', '--yes'],
  ['export', 'imported', '-o', join(folder, 'export.jsonl')],
  ['search', 'error'],
  ['delete', 'imported', '--yes'],
]

// They serve others, write into clients, or read no session.
const others: ReadonlySet<string> = new Set([
  'run',
  'serve',
  'mcp',
  'install',
  'status',
  'doctor',
  'uninstall',
  'config',
  'completions',
  'statusline',
])

const tried = new Set([...onFile('', ''), ...onStore('')].map(([name]) => name))

/** Commands that are in none of these lists, though they read a session. */
export const untried = commands
  .map(({ name }) => name)
  .filter((name) => !tried.has(name) && !others.has(name))
