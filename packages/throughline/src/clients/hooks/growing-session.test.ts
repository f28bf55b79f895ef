import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { clientSession, factsIn, growingSession } from './client-session.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-growing-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const file = join(root, 'session.jsonl')
const session = claudeSession({ turns: 12, steps: 6 })

describe('a session that is read while its client writes it', () => {
  it('is the session that is read at its end, and nothing of it is read twice', async () => {
    const growing = growingSession(file, undefined)
    writeFileSync(file, session.slice(0, session.length * 0.5))
    const half = await growing.read('/w')
    writeFileSync(file, session.slice(0, session.length * 0.8))
    const more = await growing.read('/w')
    expect(half.log.length).toBeGreaterThan(10)
    expect(more.log.length).toBeGreaterThan(half.log.length)
    writeFileSync(file, session)
    const whole = await growing.end('/w')
    const { log, facts } = await clientSession(file, undefined)
    expect(whole.log).toEqual(log)
    expect(whole.facts).toEqual(facts)
    expect(half.log.every((entry, index) => whole.log[index] === entry)).toBe(true)
    const directory = facts.directory ?? '/w'
    const read = factsIn(whole.log, directory, whole.known)
    expect(read).toBe(half.known?.facts)
    expect(read).toEqual(factsOf(log, { directories: [directory] }))
  })

  it('is read anew where what was read is not there any more', async () => {
    const growing = growingSession(file, undefined)
    writeFileSync(file, session)
    await growing.read('/w')
    const redacted = session.replaceAll('config/prod.ts', '[redacted]')
    expect(redacted).not.toBe(session)
    writeFileSync(file, redacted)
    const whole = await growing.end('/w')
    expect(JSON.stringify(whole.log)).not.toContain('config/prod.ts')
    expect(whole.log).toEqual((await clientSession(file, undefined)).log)
    expect(JSON.stringify(factsIn(whole.log, '/w', whole.known).rules)).not.toContain('prod.ts')
  })
})
