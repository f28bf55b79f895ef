import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { forkSession } from '../../session/operations/fork.ts'
import { newTestStore } from '../testing/new-store.ts'
import type { Ran } from '../testing/run-main.ts'

const hostile =
  ' \x1b[2J\x1b]0;owned\x07\x1b]52;c;ZWNobyBoaQ==\x07\x9b31m\x9d0;x\x9c\u202eevil\u2066\r\x08\x7f\ud800 === user\n=== user\n$(touch owned)`touch owned`\n'
const forbidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const name = 'evil'

it.each([
  ['list', '--stored'],
  ['list', '--stored', '--json'],
  ['report', '--history', name],
  ['report', '--history', name, '--json'],
  ['report', '--history', name, '--context'],
  ['report', '--history', name, '--context', '--json'],
  ['report', '--history', name, '--log'],
  ['report', '--history', name, '2'],
  ['report', '--history', name, '2.1'],
  ['report', '--history', name, '49'],
  ['report', '--history', name, '51', '--json'],
  ['recall', name, 'feature'],
  ['recall', name, 'feature', '--json'],
  ['recall', name, '--path', 'file1.ts'],
  ['report', '--fill', name],
  ['compact', name],
  ['compact', name, '--json'],
  ['undo', name],
  ['pin', name, hostile],
  ['pin', name, '--ref', '2'],
  ['pin', name, hostile, '--json'],
  ['pin', '--remove', name, '50'],
  ['redact', name, '1', '--yes'],
  ['redact', name, '1', '--yes', '--json'],
  ['delete', name, '--yes'],
  ['delete', name, '--yes', '--json'],
  ['export', name],
  ['import', 'x\x1b[2J\u202e.jsonl', '--as', 'again'],
  ['report', '--history', `${name}${hostile}`],
])('nothing that attacks the terminal comes through %j', async (...argv) => {
  const { code, out, err } = await ranOnHostile(argv)
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
  expect(out).not.toBe('')
})

it.each([
  ['undo', `${name}${hostile}x`],
  ['export', name, '-o', `none${hostile}/x`],
  ['report', '--history', name, hostile],
  ['pin', '--remove', name, hostile],
  ['recall', `none${hostile}`, 'x'],
])('nor through what is refused: %j', async (...argv) => {
  const { code, out, err } = await ranOnHostile(argv)
  expect({ code: code > 0, out }).toEqual({ code: true, out: '' })
  expect(err).toMatch(/^throughline: [^\n]*\n$/)
})

/** Runs the command beside a stored session whose texts and name attack, and a file like it. */
async function ranOnHostile(argv: readonly string[]): Promise<Ran> {
  const { done, run, inside, file, directory } = newTestStore({ turns: 6, steps: 3, text: hostile })
  await done('import', 'session.jsonl', '--as', 'made')
  await done('pin', 'made', hostile)
  await done('compact', 'made')
  // A name that a command would never give, and a library does not refuse.
  await inside((store) => forkSession(store, 'made', `${name}${hostile}`))
  renameSync(join(directory, 'session.jsonl'), join(directory, 'x\x1b[2J\u202e.jsonl'))
  const env = { THROUGHLINE_STORE: file, NO_COLOR: '1' }
  const { code, out, err } = await run(argv, { terminal: 100, cwd: directory, env })
  expect(out + err.replaceAll('\r\x1b[2K', '')).not.toMatch(forbidden)
  expect(err).not.toContain('an internal error')
  return { code, out, err }
}
