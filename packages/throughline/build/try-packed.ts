/**
 * Installs what `npm pack` makes in an empty project, and runs the README's snippets and the command
 * there: `npm run check:packed -- --on node@22.16.0 --on node@24 --on bun`. Without `--on` it runs on
 * this Node alone and needs no network but for `ai` and `zod`, which the first snippet wants.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageFolder } from './entries.ts'

const root = join(packageFolder, '../..')
const { values } = parseArgs({ options: { on: { type: 'string', multiple: true, default: [] } } })
const folder = mkdtempSync(join(tmpdir(), 'throughline-packed-'))

try {
  const tarball = packed()
  const alone = project('alone', ['--offline', tarball])
  writeFileSync(join(alone, 'own-messages.mjs'), ownMessages())
  writeFileSync(join(alone, 'own-step.mjs'), ownStep())
  const withSdk = project('with-sdk', [tarball, 'ai@7.0.173', 'zod@4.6.0'])
  writeFileSync(join(withSdk, 'loop.mjs'), loop())
  cpSync(join(root, 'examples/sample-session.jsonl'), join(alone, 'session.jsonl'))
  for (const runtime of runtimes()) {
    console.log(`\n${said(runtime, alone, ['--version'])}: ${runtime.name}`)
    console.log(`  compactMessages  ${said(runtime, alone, ['own-messages.mjs'])}`)
    console.log(`  own step         ${said(runtime, alone, ['own-step.mjs'])}`)
    console.log(`  AI SDK loop      ${said(runtime, withSdk, ['loop.mjs'])}`)
    const bin = 'node_modules/throughline/bin/throughline.js'
    console.log(`  --version        ${said(runtime, alone, [bin, '--version'])}`)
    const summary = said(runtime, alone, [bin, 'compact', 'session.jsonl', '--window', '32k'])
    console.log(`  compact          ${summary.split('\n').length} lines`)
    const question = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const answer = said(runtime, alone, [bin, 'mcp', 'session.jsonl'], JSON.stringify(question))
    console.log(`  mcp              ${answer}`)
    console.log(`  run -- codex     ${refused(runtime, alone, [bin, 'run', '--', 'codex'])}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

interface Runtime {
  name: string
  command: string
}

function runtimes(): Runtime[] {
  const own = { name: 'this node', command: process.execPath }
  return values.on.length === 0 ? [own] : values.on.map(installed)
}

/** A runtime out of a package of npm: `node@24` or `bun`. */
function installed(name: string): Runtime {
  const at = project(`runtime-${name.replace(/\W/g, '-')}`, [name], ['--ignore-scripts=false'])
  return { name, command: join(at, 'node_modules/.bin', name.split('@')[0] ?? name) }
}

function packed(): string {
  const answer = JSON.parse(
    ran('npm', ['pack', '--json', '--pack-destination', folder], packageFolder),
  ) as object
  const [made] = Object.values(answer) as { filename: string }[]
  return join(folder, made?.filename ?? '')
}

function project(name: string, packages: readonly string[], options: readonly string[] = []) {
  const at = join(folder, name)
  mkdirSync(at)
  writeFileSync(join(at, 'package.json'), '{ "private": true, "type": "module" }')
  ran('npm', ['install', '--no-audit', '--no-fund', ...options, ...packages], at)
  return at
}

function said({ command }: Runtime, cwd: string, argv: readonly string[], input = ''): string {
  return ran(command, argv, cwd, input).trim()
}

/** The one line that says what is missing. */
function refused({ command }: Runtime, cwd: string, argv: readonly string[]): string {
  const { status, stderr } = spawnSync(command, argv, { cwd, encoding: 'utf8' })
  const line = stderr.trim()
  const names =
    line.startsWith('throughline: ') && line.includes('npm i -g throughline throughline-gateway')
  if (status === 1 && names && !line.includes('\n')) return line
  throw new Error(`${argv.join(' ')} without the gateway ended with ${status}: ${stderr}`)
}

function ran(command: string, argv: readonly string[], cwd: string, input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, argv, {
    cwd,
    input: `${input}\n`,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${argv.join(' ')} ended with ${status}: ${error ?? stderr}`)
}

/** The lines of the README between these two, the first and the last with them. */
function snippet(from: string, to: string): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const begin = readme.indexOf(from)
  const end = readme.indexOf(to, begin)
  if (begin === -1 || end === -1) throw new Error(`The README has no lines from ${from} to ${to}`)
  return readme.slice(begin, end + to.length)
}

function ownMessages(): string {
  return `import { compactMessages } from 'throughline'
const messages = Array.from({ length: 800 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'user' : 'assistant',
  content: \`\${turn} \` + 'word '.repeat(600),
}))
${snippet('const { messages: shorter }', '})')}
if (shorter.length >= messages.length) throw new Error('nothing was compacted')
console.log(messages.length, 'messages became', shorter.length)`
}

function ownStep(): string {
  return `import { openSession, run } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
const store = sqliteStore({ file: ':memory:' })
const session = await openSession({ store, id: 'own', window: { context: 32_000 } })
await session.say('Say hello.')
const step = async () => ({
  messages: [{ role: 'assistant', content: 'hello' }],
  finishReason: 'stop',
})
const { reason } = await run({ session, step })
const said = await session.history()
console.log(reason + ',', said.length, 'messages in SQLite')`
}

function loop(): string {
  return `import { tool } from 'ai'
import { z } from 'zod'
import { memoryStore, openSession, run } from 'throughline'
import { aiSdkStep, toolSchemas } from 'throughline/ai-sdk'
import { scriptedModel } from 'throughline/testing/ai-sdk'
const tools = { run_tests: tool({ inputSchema: z.object({}), execute: () => 'all tests pass' }) }
const model = scriptedModel({ script: [{ calls: [{ name: 'run_tests' }] }, { text: 'Fixed.' }] })
${snippet('const session = await openSession({\n  store: memoryStore()', 'await run({ session, step: aiSdkStep({ model, tools }) })')}
console.log((await session.history()).map(({ message }) => message.role).join(', '))`
}
