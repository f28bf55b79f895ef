import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldsOf, listOf, parsedJson } from '../../../json/fields.ts'
import { hostPrograms, rule, type LoadedPlugin } from './plugin-host.ts'
import type { StartedPaths } from './paths.ts'

/** What became of one path: how long it took in milliseconds, or what is wrong. */
export interface Tried {
  path: 'recall' | 'hook' | 'plugin' | 'turn'
  ms: number
  problem?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where a path is tried, and for how many milliseconds at most. */
interface Trial {
  env: Environment
  folder: string
  patience: number
}

/** Sends a real request through each path that a client starts, in a folder of its own. */
export async function tryPaths(
  { server, hook, plugin }: StartedPaths,
  env: Environment,
  patience = 30_000,
): Promise<Tried[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-doctor-'))
  try {
    // A trial is no work of a client, so no record of it is kept.
    const own = { ...env, XDG_DATA_HOME: folder, LOCALAPPDATA: folder }
    const trial = { env: own, folder, patience }
    return [
      ...(server ? [await timed('recall', () => askServer(server, trial))] : []),
      ...(hook === undefined ? [] : [await timed('hook', () => askHook(hook, trial))]),
      ...(plugin ? [await timed('plugin', () => askPlugin(plugin, trial))] : []),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timed(path: Tried['path'], work: () => Promise<string | undefined>): Promise<Tried> {
  const began = performance.now()
  const problem = await work().catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  return { path, ms: Math.round(performance.now() - began), ...(problem && { problem }) }
}

/** The MCP server is started, and its tools are listed, as a client does it. */
async function askServer(
  { command, args }: { command: string; args: readonly string[] },
  trial: Trial,
): Promise<string | undefined> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'throughline-doctor', version: '1' },
  }
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const { out, err, code } = await ran(command, args, { ...trial, input })
  const answers = out.split('\n').map((line) => fieldsOf(parsedJson(line)))
  const tools = listOf(
    fieldsOf(answers.find((answer) => answer?.['id'] === 2)?.['result'])?.['tools'],
  )
  const names = tools.map((tool) => fieldsOf(tool)?.['name'])
  return names.includes('recall') ? undefined : `it lists no recall tool${said(code, err)}`
}

/** The hook is run on a session whose summary has lost a rule: the rule must come back. */
async function askHook(line: string, trial: Trial): Promise<string | undefined> {
  const file = join(trial.folder, 'session.jsonl')
  writeFileSync(file, sample(trial.folder))
  const question = {
    hook_event_name: 'SessionStart',
    source: 'compact',
    session_id: 'doctor',
    transcript_path: file,
    cwd: trial.folder,
  }
  const input = JSON.stringify(question)
  const { out, err, code } = await ran(line, [], { ...trial, input, shell: true })
  return out.includes(rule) ? undefined : `it does not tell what was said${said(code, err)}`
}

/** The plugin is loaded as its client loads it, and compacts a session: the rule must be in it. */
async function askPlugin(
  { client, file }: LoadedPlugin,
  trial: Trial,
): Promise<string | undefined> {
  const args = ['--input-type=module', '-e', hostPrograms[client], file]
  const env = { ...trial.env, THROUGHLINE_LOCAL: '1', THROUGHLINE_OFF: '' }
  const { out, err, code } = await ran(process.execPath, args, { ...trial, env, input: '' })
  return out.includes(rule) ? undefined : `it does not compact a session${said(code, err)}`
}

function sample(cwd: string): string {
  const timestamp = '2026-01-01T00:00:00.000Z'
  const said = (uuid: string, parentUuid: string | null, role: string, content: unknown) => ({
    type: role,
    uuid,
    parentUuid,
    timestamp,
    sessionId: 'doctor',
    cwd,
    message: { role, content, ...(role === 'assistant' && { id: uuid }) },
  })
  const records = [
    said('a', null, 'user', `Fix the login. ${rule}`),
    said('b', 'a', 'assistant', [{ type: 'text', text: 'I look at the tests.' }]),
    { type: 'system', subtype: 'compact_boundary', uuid: 'c', parentUuid: null, timestamp },
    { ...said('d', 'c', 'user', 'The login is being fixed.'), isCompactSummary: true },
  ]
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function said(code: number | null, err: string): string {
  const lines = err.trim().split('\n')
  // Node prints the source, the error, where it was thrown, and its own version.
  const last =
    lines.findLast((line) => /^(?:throughline|(?:Uncaught )?\w*Error\b.*?): /.test(line)) ??
    lines.findLast((line) => !line.startsWith('Node.js v')) ??
    ''
  return ` (it ended with ${code ?? 'a signal'}${last === '' ? '' : `: ${last.slice(0, 200)}`})`
}

async function ran(
  command: string,
  args: readonly string[],
  { env, input, folder, patience, shell = false }: Trial & { input: string; shell?: boolean },
): Promise<{ out: string; err: string; code: number | null }> {
  const signal = AbortSignal.timeout(patience)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd: folder, signal, shell })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    // It may have ended without reading.
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => resolve({ out, err, code }))
    child.stdin.end(input)
  })
}
