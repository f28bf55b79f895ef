import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newDirectory } from '../../testing/run-main.ts'
import { sendTurn } from './command.ts'
import { tryPaths } from './try-paths.ts'
import { gonePrograms, startedPaths } from './paths.ts'
import type { Installed } from '../../installed/ledger.ts'

const folder = newDirectory()
const program = (name: string, code: string): string => {
  const file = join(folder, name)
  writeFileSync(file, code)
  return file
}
const env = { PATH: process.env['PATH'] }
// Milliseconds, of a busy machine.
const patience = 300_000

const server = program(
  'server.mjs',
  `process.stdin.on('data', (text) => { for (const line of String(text).split('\\n')) {
    if (line.includes('tools/list')) console.log(JSON.stringify({ id: 2, result: { tools: [{ name: 'recall' }] } }))
  } })`,
)
const hook = program(
  'hook.mjs',
  `import { readFileSync } from 'node:fs'
let text = ''; for await (const chunk of process.stdin) text += chunk
console.log(readFileSync(JSON.parse(text).transcript_path, 'utf8'))`,
)
const dumb = program('dumb.mjs', `console.error('no luck'); process.exit(3)`)
const started = (file: string) => ({ command: process.execPath, args: [file] })
const line = (file: string) => `"${process.execPath}" "${file}"`

describe('the doctor', () => {
  it('sends a real request through each path', async () => {
    expect(await tryPaths({ server: started(server), hook: line(hook) }, env, patience)).toEqual([
      { path: 'recall', ms: expect.any(Number) },
      { path: 'hook', ms: expect.any(Number) },
    ])
  })

  it('says what is wrong with one that does not work', async () => {
    const [recall, told] = await tryPaths(
      { server: started(dumb), hook: line(dumb) },
      env,
      patience,
    )
    expect(recall?.problem).toBe('it lists no recall tool (it ended with 3: no luck)')
    expect(told?.problem).toBe('it does not tell what was said (it ended with 3: no luck)')
    const thrown = program('thrown.mjs', `throw new TypeError('it is broken')`)
    const [broken] = await tryPaths({ server: started(thrown), hook: undefined }, env, patience)
    expect(broken?.problem).toContain('(it ended with 1: TypeError: it is broken)')
    const gone = { command: join(folder, 'none'), args: [] }
    const [missing] = await tryPaths({ server: gone, hook: undefined }, env, patience)
    expect(missing?.problem).toContain('ENOENT')
  })

  it.each(['opencode', 'openclaw', 'pi'] as const)(
    'has the plugin of %s compact a session',
    async (client) => {
      const file = fileURLToPath(new URL(`../../../clients/${client}/plugin.ts`, import.meta.url))
      const paths = { server: undefined, hook: undefined }
      expect(await tryPaths({ ...paths, plugin: { client, file } }, env, patience)).toEqual([
        { path: 'plugin', ms: expect.any(Number) },
      ])
      const idle = program(
        `${client}-idle.mjs`,
        `export default Object.assign((pi) => pi.on('session_shutdown', () => {}), { server: () => ({ dispose() {} }) })`,
      )
      const [tried] = await tryPaths({ ...paths, plugin: { client, file: idle } }, env, patience)
      expect(tried?.problem).toContain('it does not compact a session')
    },
  )

  it('sends a turn through a client, and sees whether its plugin was told of it', async () => {
    const home = newDirectory()
    const told = { PATH: env.PATH, HOME: home, XDG_DATA_HOME: home }
    const commits = program(
      'commits.mjs',
      `const { default: plugin } = await import(process.argv[2])
const made = []
plugin({ registerContextEngine: (_, make) => made.push(make()) })
const messages = [{ role: 'user', content: 'Hello.', timestamp: 1 }]
if (process.argv[3] === 'calls') await made[0].commitTurn({ sessionId: 's', advancementKey: 't', messages })`,
    )
    const plugin = new URL('../../../clients/openclaw/plugin.ts', import.meta.url).href
    const client = (calls: string) => ({
      name: 'openclaw',
      program: process.execPath,
      turn: [commits, plugin, calls],
    })
    const place = { env: told, platform: process.platform }
    const sent = { path: 'turn', ms: expect.any(Number) }
    expect(await sendTurn(client('calls'), place, patience)).toEqual(sent)
    const idle = await sendTurn(client('nothing'), place, patience)
    expect(idle?.problem).toContain('did not tell the plugin')
    const gone = { ...client('calls'), program: join(folder, 'none') }
    expect((await sendTurn(gone, place, patience))?.problem).toContain('ENOENT')
    expect(await sendTurn({ name: 'pi', program: 'pi' }, place)).toBeUndefined()
  })

  it('finds the file of a plugin, and tries no other client’s', () => {
    const step = { path: '/x/throughline.js', what: { type: 'file' } }
    const installed = { steps: [step] } as unknown as Installed
    expect(startedPaths(installed, () => '', 'pi').plugin).toEqual({
      client: 'pi',
      file: step.path,
    })
    expect(startedPaths(installed, () => '', 'claude-code').plugin).toBeUndefined()
  })

  it('names the programs that a client would start and that are gone', () => {
    const server = { command: '/gone/bin/node', args: [] }
    const hook = `'/gone/bin/node' '/w/program.js'`
    expect(gonePrograms({ server, hook })).toEqual([
      '/gone/bin/node is gone, and the client would start it',
    ])
    const here = { command: process.execPath, args: [] }
    expect(gonePrograms({ server: here, hook: `"${process.execPath}" x` })).toEqual([])
    expect(gonePrograms({ server: undefined, hook: 'node x' })).toEqual([])
  })

  it('finds the paths where an installation has written them', () => {
    const step = (path: string, what: unknown) => ({
      path,
      what,
      hash: '',
      exact: true,
      folders: [],
    })
    const installed = (...steps: unknown[]) => ({ steps }) as unknown as Installed
    const command = { command: '/a "b"/node', args: ['x', 'mcp'] }
    const files = new Map([
      ['/m.json', JSON.stringify({ mcpServers: { throughline: command } })],
      [
        '/h.json',
        JSON.stringify({ hooks: { A: [{ hooks: [{ type: 'command', command: 'run it' }] }] } }),
      ],
    ])
    const read = (file: string): string => files.get(file) ?? ''
    const both = { server: command, hook: 'run it' }
    expect(
      startedPaths(
        installed(...[...files.keys()].map((path) => step(path, { type: 'file' }))),
        read,
      ),
    ).toEqual(both)
    const toml = [
      '[mcp_servers.throughline]',
      `command = ${JSON.stringify(command.command)}`,
      'args = ["x", "mcp"]',
    ]
    const entries = [
      step('/c.toml', { type: 'entries', entries: { syntax: 'toml', blocks: { end: toml } } }),
      step('/h2.json', {
        type: 'entries',
        entries: { syntax: 'json', entries: [{ at: [], value: JSON.parse(read('/h.json')) }] },
      }),
    ]
    expect(startedPaths(installed(...entries), read)).toEqual(both)
    expect(startedPaths(installed(), read)).toEqual({ server: undefined, hook: undefined })
  })
})
