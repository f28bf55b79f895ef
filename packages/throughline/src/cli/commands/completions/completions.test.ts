import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { newDirectory, runMain } from '../../testing/run-main.ts'
import { commands } from '../../commands.ts'

const id = 'f0000000-0000-4000-8000-000000000001'
const home = harnessHome()
home.put(
  'claude-code',
  id,
  claudeSession({ says: ['Fix the parser.'] }).replaceAll('"made"', `"${id}"`),
)

async function suggested(...words: string[]): Promise<string[]> {
  const { code, out, err } = await runMain(['completions', 'suggest', '--', ...words], home)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']))
}

describe('completions', () => {
  it('suggest every command, and what begins as typed', async () => {
    const all = await suggested('')
    for (const { name } of commands) expect(all).toContain(name)
    expect(await suggested('comp')).toEqual(['compact', 'completions'])
  })

  it('suggest the options of a command and the values that they take', async () => {
    expect(await suggested('compact', 'x', '--fo')).toEqual(['--focus', '--format'])
    expect(await suggested('compact', 'x', '--format', 'm')).toEqual(['markdown'])
    expect(await suggested('list', '--in', 'cod')).toEqual(['codex'])
    expect(await suggested('search', '-')).toContain('--since')
  })

  it('suggest the sessions that there are, by the names that commands take', async () => {
    expect(await suggested('report', 'cl')).toEqual(['claude:latest', 'claude:f0000000'])
    expect(await suggested('report', '')).toContain('latest')
    const [, name = ''] = await suggested('report', 'claude:')
    expect((await runMain(['report', '--fill', name], home)).code).toBe(0)
  })

  it('suggest stored sessions alone where only they can be meant', async () => {
    expect(await suggested('undo', '')).toEqual([])
    expect((await runMain(['import', id], home)).code).toBe(0)
    expect(await suggested('undo', '')).toEqual([id])
  })

  it('say what a session is about once it was searched', async () => {
    await runMain(['search', 'parser'], home)
    const { out } = await runMain(['completions', 'suggest', '--', 'report', 'claude:f'], home)
    expect(out).toMatch(/^claude:f0000000\t\S+ {2}Fix the parser\.$/m)
  })

  it.each(['bash', 'zsh', 'fish'])('print a script for %s', async (shell) => {
    const { code, out } = await runMain(['completions', shell])
    expect(code).toBe(0)
    expect(out).toContain('throughline completions suggest --')
  })

  it('refuse another shell', async () => {
    const { code, err } = await runMain(['completions', 'zhs'])
    expect(code).toBe(2)
    expect(err).toContain('did you mean zsh?')
  })

  const bash = spawnSync('bash', ['--version']).status === 0
  it.skipIf(!bash)('work in bash, with the colons of session names', async () => {
    const directory = newDirectory()
    const script = join(directory, 'try.sh')
    const { out } = await runMain(['completions', 'bash'])
    const answers = 'printf "claude:latest\\tx\\nclaude:f0000000\\tx\\n"'
    writeFileSync(
      script,
      `throughline() { ${answers}; echo "$@" >> "${directory}/asked"; }\n${out}
COMP_LINE="throughline report claude:f"; COMP_POINT=\${#COMP_LINE}; _throughline
echo "\${COMPREPLY[@]}"; cat "${directory}/asked"
COMP_LINE="throughline "; COMP_POINT=\${#COMP_LINE}; _throughline; tail -1 "${directory}/asked"\n`,
    )
    const { stdout, stderr } = spawnSync('bash', [script], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({
      stdout: 'latest f0000000\ncompletions suggest -- report claude:f\ncompletions suggest -- \n',
      stderr: '',
    })
  })
})
