import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandPage } from './command-page.ts'
import { commands } from './commands.ts'
import { claudeSession } from './testing/claude-session.ts'
import { clientLines } from './testing/client-lines.ts'
import { newDirectory, runMain } from './testing/run-main.ts'

const pagePath = new URL('../../../../docs/command.md', import.meta.url)
const samplePath = new URL('../../../../examples/sample-session.jsonl', import.meta.url)

const isBuilt = existsSync(new URL('../../dist/clients/opencode.js', import.meta.url))

const hasPage = existsSync(new URL('../../dist/report-page.html', import.meta.url))

const loaded = await Promise.all(commands.map(({ load }) => load()))

describe('docs/command.md', () => {
  it('is what the help says now (UPDATE_DOCS=1 writes it anew)', () => {
    const page = commandPage(commands, loaded)
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(pagePath, page)
    expect(readFileSync(pagePath, 'utf8')).toBe(page)
  })

  it('has an example for every command', () => {
    for (const { name, examples } of loaded) {
      expect(Object.keys(examples).length, name).toBeGreaterThan(0)
    }
  })

  it.for(loaded.flatMap(({ examples }) => Object.keys(examples)))(
    'shows an example that works: %s',
    async (command, { skip }) => {
      if (/^throughline (?:run|serve)/.test(command)) skip('the gateway’s own tests start clients')
      if (command.includes(' install ') && !isBuilt) skip('what it installs is made by the build')
      if (command.includes(' report.html') && !hasPage) skip('its page is made by the build')
      const directory = newDirectory()
      cpSync(prepared, directory, { recursive: true })
      const { argv, input } = argumentsOf(command)
      const { code, out, err } = await runMain(argv, {
        cwd: directory,
        env: { THROUGHLINE_STORE: 'sessions.db', HOME: directory, USERPROFILE: directory },
        ...(input !== undefined && { input: readFileSync(join(directory, input)) }),
        ...(command === 'throughline resume' && { terminal: 100, chosen: () => 0 }),
        ...(argv[0] === 'mcp' && { input: clientLines([]) }),
      })
      expect(code).toBe(0)
      const target = argv[argv.indexOf('-o') + 1]
      const written = argv.includes('-o')
        ? readFileSync(join(directory, target ?? ''), 'utf8')
        : out || err
      expect(written.length).toBeGreaterThan(20)
    },
  )
})

// What the examples stand in: a session in a file, the sample beside it, the same where Claude Code keeps it, and in a
// store, pinned and compacted.
const prepared = newDirectory()

beforeAll(async () => {
  const secret = 'Never touch config/prod.ts.'
  const session = claudeSession({ turns: 12, steps: 6 })
  writeFileSync(join(prepared, 'session.jsonl'), session)
  cpSync(samplePath, join(prepared, 'sample-session.jsonl'))
  const project = join(prepared, '.claude', 'projects', '-code-app')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'f0000000-0000-4000-8000-000000000001.jsonl'), session)
  writeFileSync(join(prepared, 'secret.txt'), `${secret}\n`)
  writeFileSync(join(prepared, 'throughline.config.json'), '{}')
  writeFileSync(
    join(prepared, 'status.json'),
    '{"context_window":{"context_window_size":200000,"used_percentage":42}}',
  )
  const setting = { cwd: prepared, env: { THROUGHLINE_STORE: 'sessions.db' } }
  for (const argv of [
    ['import', 'session.jsonl'],
    ['pin', 'made', 'It is for the release.'],
    ['compact', 'made'],
  ]) {
    expect(await runMain(argv, setting)).toMatchObject({ code: 0 })
  }
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
