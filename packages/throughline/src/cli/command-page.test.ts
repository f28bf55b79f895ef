import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandPage } from './command-page.ts'
import { commands } from './commands.ts'
import { sqliteStore } from '../stores/sqlite/index.ts'
import { claudeSession } from './testing/claude-session.ts'
import { clientLines } from './testing/client-lines.ts'
import { newDirectory, runMain } from './testing/run-main.ts'

const pagePath = new URL('../../../../docs/command.md', import.meta.url)

describe('docs/command.md', () => {
  it('is what the help says now (UPDATE_DOCS=1 writes it anew)', () => {
    const page = commandPage(commands)
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(pagePath, page)
    expect(readFileSync(pagePath, 'utf8')).toBe(page)
  })

  it('has an example for every command', () => {
    for (const { name, examples } of commands) {
      expect(examples.length, name).toBeGreaterThan(0)
    }
  })

  it.each(commands.flatMap(({ examples }) => examples.map(({ command }) => [command])))(
    'shows an example that works: %s',
    async (command) => {
      const directory = newDirectory()
      const session = claudeSession({ turns: 12, steps: 6 })
      writeFileSync(join(directory, 'session.jsonl'), session)
      sqliteStore({ file: join(directory, 'sessions.db') }).close()
      const { argv, input } = argumentsOf(command)
      const { code, out } = await runMain(argv, {
        cwd: directory,
        ...(input !== undefined && { input: session }),
        ...(argv[0] === 'mcp' && { input: clientLines([]) }),
      })
      expect(code).toBe(0)
      if (argv.includes('-o')) {
        expect(readFileSync(join(directory, 'short.md'), 'utf8')).toContain('# Summary')
      } else expect(out.length).toBeGreaterThan(100)
    },
  )
})

/** The arguments of an example, as a shell would divide them. */
function argumentsOf(command: string): { argv: string[]; input?: string } {
  const [words = '', input] = command.split(' < ')
  const [program, ...argv] = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
  expect(program).toBe('throughline')
  return input === undefined ? { argv } : { argv, input }
}
