import { describe, expect, it } from 'vitest'
import { readSession } from '../../../formats/reading/read-session.ts'
import { toolTableOf } from '../../../formats/handoff/hand-over.ts'
import { partsOf } from '../../../log/message.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { newFile, runMain } from '../../testing/run-main.ts'
import { harnessNames } from '../../written/handover.ts'

const path = newFile('session.jsonl', claudeSession({ turns: 12, steps: 6 }))
const others = harnessNames.filter((name) => name !== 'claude-code')

describe('compact --to another client', () => {
  it.each(others)('to %s leaves no call that is not there, and says what is', async (name) => {
    const { code, out, err } = await runMain(['compact', path, '--to', name, '--window', '32k'])
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
    const { code, err } = await runMain(['compact', path, '--to', 'codex', '--keep', '2k'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/→ 1?,?\d{3} tokens/) })
  })

  it('is installed, and goes on from there', async () => {
    const { home, env } = harnessHome()
    const argv = ['compact', path, '--to', 'codex', '--install']
    const { code, out } = await runMain(argv, { env, cwd: home })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^codex resume \S+\n$/) })
    const { out: shown } = await runMain(['report', '--history', 'codex:latest'], {
      env,
      cwd: home,
    })
    expect(shown).toContain('In Claude Code the tool Read was called with')
  })
})
