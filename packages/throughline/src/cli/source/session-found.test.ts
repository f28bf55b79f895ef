import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { opencodeExport } from '../../formats/opencode/sample.ts'
import { codexRecords } from '../../formats/codex/sample.ts'
import { main } from '../main.ts'
import { capturedIo } from '../testing/captured-io.ts'
import { claudeSession } from '../testing/claude-session.ts'
import { harnessHome } from '../testing/harness-home.ts'
import { newDirectory, runMain } from '../testing/run-main.ts'

const first = 'f0000000-0000-4000-8000-000000000001'
const second = 'f0000000-0000-4000-8000-000000000002'
const codexSession = 'c0de0000-0000-4000-8000-000000000001'
const day = (number: number): number => Date.UTC(2026, 0, number)

const { home, env, put, putInDatabase } = harnessHome()
put('claude-code', first, claudeSession({ says: ['The first.'] }), day(1))
put('claude-code', second, claudeSession({ says: ['The second.'] }), day(2))
put('codex', codexSession, lines(codexRecords as object[]), day(3))
// Nothing was said in the newest ones.
put('claude-code', 'e0000000-0000-4000-8000-000000000001', '', day(8))
put('claude-code', 'e0000000-0000-4000-8000-000000000002', lines([{ type: 'mode' }]), day(9))
putInDatabase(opencodeExport as unknown as Parameters<typeof putInDatabase>[0])

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** The name of the session that a word stands for. */
async function named(word: string, cwd = newDirectory()): Promise<string> {
  const { code, out, err } = await runMain(['report', '--fill', word], { env, cwd })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.split('\n', 1)[0] ?? ''
}

async function failure(word: string): Promise<string> {
  const { code, out, err } = await runMain(['report', '--fill', word], { env })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^throughline: [^\n]*\n$/)
  return err
}

describe('a session of a harness', () => {
  it.each([
    ['latest', `codex:${codexSession}`],
    ['claude:latest', `claude:${second}`],
    ['claude-code:latest', `claude:${second}`],
    ['opencode:latest', 'opencode:ses_1'],
    [first, `claude:${first}`],
    [`claude:${first}`, `claude:${first}`],
    ['c0de', `codex:${codexSession}`],
    ['codex:c0de0', `codex:${codexSession}`],
    ['ses_1', 'opencode:ses_1'],
  ])('is found by %s', async (word, name) => {
    expect(await named(word)).toBe(name)
  })

  it.each([
    ['cluade:latest', 'Did you mean claude:latest?'],
    ['latset', 'Did you mean latest?'],
    ['c0df0000', `Did you mean codex:${codexSession}?`],
  ])('asks whether another was meant by %s', async (word, hint) => {
    expect(await failure(word)).toContain(hint)
  })

  it('names the one that was meant, with its client before it, too', async () => {
    expect(await failure('codex:c0de0001')).toContain(`Did you mean codex:${codexSession}?`)
    expect(await failure('codex:c0d')).toContain('at least 4 characters')
    expect(await failure('codex:99999999')).toContain('throughline list')
  })

  it('is read by every command that takes a session', async () => {
    for (const argv of [
      ['compact', '--if-needed', 'claude:latest', '--keep', '2k'],
      ['report', '--history', 'claude:latest'],
      ['report', '--history', 'claude:latest', '1'],
      ['recall', 'claude:latest', 'second'],
    ]) {
      const { code, out } = await runMain(argv, { env, cwd: newDirectory() })
      expect({ argv, code }).toEqual({ argv, code: 0 })
      expect(out).not.toBe('')
    }
  })

  it('gives way to a file and to a stored session of that name', async () => {
    const cwd = newDirectory()
    writeFileSync(join(cwd, 'latest'), claudeSession())
    expect(await named('latest', cwd)).toBe('latest')
    const stored = { env: { ...env, THROUGHLINE_STORE: join(cwd, 'store.db') }, cwd: home }
    await runMain(['import', join(cwd, 'latest'), '--as', 'c0de'], stored)
    const { out } = await runMain(['report', '--fill', 'c0de'], stored)
    expect(out).toMatch(/^c0de\n/)
  })

  it('is told from others that begin so', async () => {
    expect(await failure('f000')).toContain(
      `f000 names several sessions on this machine: claude:${second}, claude:${first}. Use one`,
    )
  })

  it.each([
    ['pi:latest', 'there is no session of pi on this machine'],
    ['claude:0000', 'there is no session 0000 of claude-code on this machine'],
    ['nobody:latest', 'there is no such file'],
    ['f00', 'there is no such file'],
    ['../f0000000', 'there is no such file'],
    ['claude:e0000000-0000-4000-8000-000000000001', 'the session is empty'],
    ['claude:\u001b[2Jx', 'there is no session'],
  ])('is said not to be there: %j', async (word, message) => {
    expect(await failure(word)).toContain(message)
  })

  it('is not written over', async () => {
    const file = put('pi', 'a0000000-0000-4000-8000-000000000001', claudeSession(), day(1))
    const { code, err } = await runMain(['compact', '--if-needed', 'pi:a000', '-o', file], { env })
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('is the session itself'),
    })
  })

  it('is no longer looked for after Ctrl-C', async () => {
    const { io, err, interrupt } = capturedIo({ env })
    interrupt()
    expect(await main(['report', '--fill', 'latest'], io)).toBe(130)
    expect(err()).toContain('interrupted while looking for sessions; nothing was done.')
  })
})
