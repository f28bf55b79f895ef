import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSession } from '../../formats/reading/read-session.ts'
import { toolTableOf } from '../../formats/handoff/hand-over.ts'
import { partsOf } from '../../log/message.ts'
import { claudeSession } from '../testing/claude-session.ts'
import { filesBelow } from '../testing/files-below.ts'
import { harnessHome } from '../testing/harness-home.ts'
import { newDirectory, newFile, runMain } from '../testing/run-main.ts'
import { harnessNames } from '../written/destination.ts'

const path = newFile('session.jsonl', claudeSession({ turns: 12, steps: 6 }))
const others = harnessNames.filter((name) => name !== 'claude-code')

describe('handoff', () => {
  it.each(others)('to %s leaves no call that is not there, and says what is', async (name) => {
    const { code, out, err } = await runMain(['handoff', path, '--to', name, '--window', '32k'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('summarized locally') })
    const { label, tools } = toolTableOf(name)
    expect(out).toContain(`This session began in Claude Code and continues in ${label}`)
    expect(out).toContain('- Read{file_path} reads a file: ')
    const { format, log } = await readSession([out])
    expect(format).toBe(name)
    const called = log.flatMap((entry) =>
      entry.kind === 'message'
        ? partsOf(entry.message).flatMap((part) => (part.type === 'tool-call' ? part.toolName : []))
        : [],
    )
    const names = new Set(tools.flatMap((tool) => (tool.given ? [] : [tool.name])))
    expect(called.filter((tool) => !names.has(tool))).toEqual([])
    expect(JSON.stringify(log)).toContain('Please make feature 12 work.')
  })

  it('holds no more than --keep, its note with it', async () => {
    const { code, err } = await runMain(['handoff', path, '--to', 'codex', '--keep', '2k'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/→ 1?,?\d{3} tokens/) })
  })

  it('is installed, and goes on from there', async () => {
    const { home, env } = harnessHome()
    const argv = ['handoff', path, '--to', 'codex', '--install', '--compact']
    const { code, out } = await runMain(argv, { env, cwd: home })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^codex resume \S+\n$/) })
    const { out: shown } = await runMain(['show', 'codex:latest'], { env, cwd: home })
    expect(shown).toContain('In Claude Code the tool Read was called with')
  })

  it('says what is missing, or not needed', async () => {
    const missing = await runMain(['handoff', path])
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('--to is missing') })
    const api = await runMain(['handoff', path, '--to', 'openai-chat'])
    expect(api).toMatchObject({ code: 2, err: expect.stringContaining('--to must be one of') })
    const same = await runMain(['handoff', path, '--to', 'claude'])
    expect(same).toMatchObject({ code: 1, out: '' })
    expect(same.err).toContain('is already a session of Claude Code and needs no other tools')
  })

  it('leaves a stored session as it is', async () => {
    const cwd = newDirectory()
    const env = { THROUGHLINE_STORE: join(cwd, 'store.db') }
    await runMain(['import', path, '--as', 'kept'], { env, cwd })
    const before = await runMain(['export', 'kept'], { env, cwd })
    const { code } = await runMain(['handoff', 'kept', '--to', 'pi', '--compact'], { env, cwd })
    expect(code).toBe(0)
    expect(await runMain(['export', 'kept'], { env, cwd })).toEqual(before)
    expect(filesBelow(cwd).filter((file) => !file.startsWith('store.db'))).toEqual([])
  })
})
