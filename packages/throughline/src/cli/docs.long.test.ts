import { copyFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { commands } from './commands.ts'
import { parseArguments } from './parse-arguments.ts'
import { claudeSession } from './testing/claude-session.ts'
import { harnessHome } from './testing/harness-home.ts'
import { newDirectory, runMain } from './testing/run-main.ts'

const root = join(import.meta.dirname, '../../../..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** The lines of a page's code blocks that call the command, each as its arguments. */
function calls(page: string): string[][] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```(?:sh|console)?\n([\s\S]*?)^```/gm)].map(
    ([, block = '']) => block,
  )
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => /^(?:\$ )?(?:npx )?throughline +(.*)$/.exec(line)?.[1])
    .filter((line) => line !== undefined)
    .map((line) => wordsOf(line.replace(/(?:\s{2,}| # ).*$/, '')))
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

test.each(pages.slice(1))('%s says first who it is for, and is in the index', (page) => {
  const name = page.slice('docs/'.length)
  if (name === 'README.md') return
  const [, first = ''] = readFileSync(join(root, page), 'utf8').split(/\n\n+/)
  expect(first).toMatch(/^For /)
  expect(readFileSync(join(root, 'docs/README.md'), 'utf8')).toContain(`](${name})`)
})

test.each(pages)('%s calls only commands and options that exist', async (page) => {
  for (const [name = '', ...rest] of calls(page)) {
    // What stands for a command, and options of the command as a whole.
    if (/^[A-Z-]/.test(name)) continue
    const listed = commands.find((each) => each.name === name)
    expect(listed, `${page}: throughline ${name}`).toBeDefined()
    const command = await listed?.load()
    if (command) expect(() => parseArguments(command, rest)).not.toThrow()
  }
})

// What needs a terminal, a client or the network, or never ends.
const notRun: readonly (readonly string[])[] = [
  ['doctor'],
  ['mcp'],
  ['uninstall'],
  ['run'],
  ['serve'],
]

function canRun([name = '', ...rest]: readonly string[]): boolean {
  if (name === 'resume') return rest.includes('--print')
  if (name === 'install') return rest.includes('--dry-run')
  return !notRun.some(([each]) => each === name)
}

describe('what people read first works as it stands there', () => {
  it.each(['README.md', 'docs/tutorial.md', 'docs/how-to.md'])('%s', async (page) => {
    const cwd = newDirectory()
    const { env, put } = harnessHome()
    const sample = join(root, 'examples/sample-session.jsonl')
    mkdirSync(join(cwd, 'examples'))
    for (const name of ['session.jsonl', 'examples/sample-session.jsonl']) {
      copyFileSync(sample, join(cwd, name))
    }
    put('claude-code', 'a', claudeSession())
    const store = join(cwd, 'sessions.db')
    const setting = { cwd, env: { ...env, THROUGHLINE_STORE: store } }
    if (!calls(page).some(([name]) => name === 'import')) {
      await runMain(['import', 'session.jsonl', '--as', 'parser'], setting)
      await runMain(['compact', 'parser'], setting)
    }
    for (const argv of calls(page).filter(canRun)) {
      // Whoever redacts is asked.
      const given = argv[0] === 'redact' ? [...argv, '--yes'] : argv
      const { code, err } = await runMain(given, { ...setting, input: 'toolTotals\n' })
      expect({ argv, code, err: code === 0 ? '' : err }).toEqual({ argv, code: 0, err: '' })
    }
  })
})

test('the page on errors names every error, and none that does not exist', () => {
  const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
  const named = new Set([...page.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, code]) => code))
  const source = join(import.meta.dirname, '..')
  const codes = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(source, name), 'utf8')
      return [...text.matchAll(/^ {2}static override readonly code = '([A-Z_]+)'/gm)]
    })
    .map(([, code = '']) => code)
  expect(codes.filter((code) => !named.has(code))).toEqual([])
  expect(codes.length).toBeGreaterThan(30)
})
