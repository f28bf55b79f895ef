import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../../stores/sqlite/index.ts'
import { draft } from '../../../testing/conformance/store-drafts.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { clientLines } from '../../testing/client-lines.ts'
import { newDirectory, newFile } from '../../testing/run-main.ts'

const bin = fileURLToPath(new URL('../../../../bin/throughline.js', import.meta.url))
const built = existsSync(new URL('../../../../dist/command.js', import.meta.url))
if (!built)
  console.warn('client.long.test.ts is skipped: dist is missing. npm test builds it first.')

const path = newFile('session.jsonl', claudeSession({ turns: 3, steps: 4 }))
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

/** The SDK's own client, on a server of its own. */
async function connected(...argv: string[]): Promise<Client> {
  const client = new Client({ name: 'a client', version: '1' })
  const args = [bin, 'mcp', ...argv]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
  )
  clients.push(client)
  return client
}

async function recalled(client: Client, question: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name: 'recall', arguments: question })
  const [first] = content as { type: string; text: string }[]
  return { text: first?.text ?? '', isError: isError === true }
}

/** The built command as a process, when it has begun to answer. */
async function started(): Promise<{ child: ChildProcess; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [bin, 'mcp', path])
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.stdin.write(clientLines([]))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { child, ended }
}

describe.skipIf(!built)('the MCP client of the SDK', () => {
  it('finds one tool, and asks it by ref, path and words', async () => {
    const client = await connected(path)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['recall'])
    expect((await recalled(client, { ref: '1.0' })).text).toContain('Please make feature 1 work')
    expect((await recalled(client, { path: 'file3.ts' })).text).toContain('did="edit"')
    expect((await recalled(client, { words: 'feature works now' })).text).toContain('works now.')
  })

  it('is told by the model’s own mistakes how to ask, and goes on', async () => {
    const client = await connected(path)
    for (const question of [{}, { ref: '999' }, { ref: '1', words: 'x' }, { words: 7.5 }]) {
      const { text, isError } = await recalled(client, question)
      expect(isError).toBe(true)
      expect(text).toMatch(/exactly one of|seqs run from/)
    }
    await expect(client.callTool({ name: 'remember' })).rejects.toThrow('but there is: recall.')
    expect((await recalled(client, { ref: '1' })).isError).toBe(false)
  })

  it('asks a stored session that others write to', async () => {
    const file = join(newDirectory(), 'sessions.db')
    using store = sqliteStore({ file })
    await store.append('one', [draft('the port is 8123')])
    const client = await connected('one', '--store', file)
    expect((await recalled(client, { words: 'port' })).text).toContain('8123')
    await store.append('one', [draft('the port is 9000')])
    expect((await recalled(client, { words: 'port 9000' })).text).toContain('9000')
  })
})

describe.skipIf(!built)('the server as a process', () => {
  it('writes nothing but the protocol to standard output', () => {
    const input = `no message\n${clientLines([{ ref: '1' }, { words: 'feature' }, {}])}`
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'mcp', path], {
      input,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    expect(stderr).not.toMatch(/Warning|at .*:\d+/)
  })

  it('outlives 12 MB in one line and 10,000 lines of garbage', () => {
    const garbage = 'no message\n'.repeat(10_000)
    const input = `${garbage}${'x'.repeat(12e6)}\n${clientLines([{ ref: '1' }])}`
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'mcp', path], {
      input,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(stdout).toContain('Please make feature 1 work')
    expect(stderr.split('\n')).toHaveLength(6)
    expect(stderr).toContain('sent 9998 more lines')
  })

  it('ends when its client does', async () => {
    const { child, ended } = await started()
    child.stdout?.destroy()
    child.stdin?.write(clientLines([{ ref: '1' }]))
    child.stdin?.end()
    expect(await ended).toBe(0)
  })

  it('ends at Ctrl-C', async () => {
    const { child, ended } = await started()
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('needs no package beside its own', () => {
    const hide = `import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) => {
        if (/^(?![.]|file:|node:)/.test(name)) throw new Error('not found: ' + name)
        return next(name, context)
      } })`
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hide)}`, bin, 'mcp', path],
      { encoding: 'utf8', input: clientLines([]) },
    )
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^throughline: answering an MCP client for [^\n]*\n$/),
    })
  })
})
