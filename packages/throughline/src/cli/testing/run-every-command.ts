import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commands } from '../commands.ts'
import { main } from '../main.ts'
import { capturedIo } from './captured-io.ts'

// A process of its own, since a command that never ends also stops whoever waits for it. It prints a
// line before each command: the one after which nothing comes is the one that hangs.
const [, , ...files] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'throughline-every-'))
const env = { THROUGHLINE_STORE: join(folder, 'sessions.db'), HOME: folder, USERPROFILE: folder }

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

const ofFile = (file: string): string[][] => [
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

const ofStore: string[][] = [
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

const tried = new Set([...ofFile(''), ...ofStore].map(([name]) => name))
const untried = commands
  .map(({ name }) => name)
  .filter((name) => !tried.has(name) && !others.has(name))
if (untried.length > 0) process.stdout.write(`FAILED nobody tries ${untried.join(', ')}\n`)

try {
  for (const file of files) {
    for (const argv of [...ofFile(file), ...ofStore]) {
      process.stdout.write(`${JSON.stringify(argv)}\n`)
      const { io, err } = capturedIo({ env, cwd: folder })
      const code = await main(argv, io)
      // A stack is what nobody should see: every failure is a line that says what to do.
      const stack = /^\s+at .*:\d+:\d+/m.exec(err())
      if (![0, 1, 2].includes(code) || stack) {
        process.stdout.write(`FAILED ${code} ${JSON.stringify(argv)} ${err().slice(0, 400)}\n`)
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
