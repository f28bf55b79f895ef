import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { filesBelow } from './testing/files-below.ts'
import { invented } from '../formats/testing/invented/format.ts'
import { join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import { newDirectory } from './testing/run-main.ts'
import { promisify } from 'node:util'

const id = 'f0000000-0000-4000-8000-000000000001'
const here = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
const running = promisify(execFile)

/** What a program prints in which the list of formats has one line more. */
async function printed(program: string, home: string, argv: readonly string[] = []) {
  const hook = new URL('../formats/testing/invented/line.ts', import.meta.url).href
  const args = ['--no-warnings', '--import', hook, '--input-type=module', '-e', program, '--']
  const env = { ...process.env, HOME: home, USERPROFILE: home, XDG_DATA_HOME: join(home, 'data') }
  const { stdout, stderr } = await running(process.execPath, [...args, ...argv], {
    cwd: home,
    env,
  })
  return { out: stdout, err: stderr }
}

/** A home with a session of the invented client, long enough to be compacted. */
function machine() {
  const home = newDirectory()
  mkdirSync(join(home, '.invented'))
  const turns = Array.from({ length: 40 }, (_, turn) => [
    { invented: 'human', words: `Step ${turn}: look at the zebra parser.` },
    {
      invented: 'model',
      words: 'I look.',
      calls: [{ id: `c${turn}`, tool: 'execute', input: { line: `cat zebra-${turn}.ts` } }],
    },
    { invented: 'tool', call: `c${turn}`, words: 'export const zebra = 1\n'.repeat(80) },
    { invented: 'model', words: `Step ${turn} is done.`, calls: [] },
  ])
  const records = [{ invented: 'begin', id, directory: home }, ...turns.flat()]
  const lines = records.map((record) => `${JSON.stringify(record)}\n`)
  writeFileSync(join(home, '.invented', `${id}.jsonl`), lines.join(''))
  const program = `const { main } = await import(${here('./main.ts')}); process.exitCode = await main(process.argv.slice(1))`
  return { home, run: (...argv: string[]) => printed(program, home, argv) }
}

test('a format that is one folder and one line is listed, reported and searched', async () => {
  const { run } = machine()
  const listed = await run('list')
  expect(listed.out).toContain('invented:f0000000')
  expect(listed.out).toContain('look at the zebra parser')
  expect((await run('report', 'invented:latest')).out).toContain('invented')
  const found = await run('search', 'zebra-7.ts', '--json')
  expect(JSON.parse(found.out)).toMatchObject({ sessions: [{ client: invented.name, id }] })
}, 60_000)

test('it is resumed in its own form and in others', async () => {
  const { run, home } = machine()
  const to = (...more: string[]) =>
    run('compact', 'invented:latest', '--keep', '4k', '--to', ...more)
  const own = await to('invented', '--install')
  expect(`${own.out}${own.err}`).toContain('invented resume')
  expect(filesBelow(join(home, '.invented'))).toHaveLength(2)
  expect((await to('codex')).out).toContain('"exec_command"')
}, 60_000)

test('the help of resume and the page of formats tell of it', async () => {
  const { run, home } = machine()
  expect((await run('resume', '--help')).out).toContain('invented')
  const program = `const { formatsPage } = await import(${here('../formats/testing/formats-page.ts')}); console.log(formatsPage({ clients: [], corpus: [], figures: [] }))`
  expect((await printed(program, home)).out).toContain('| invented ')
}, 60_000)
