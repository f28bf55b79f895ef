import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { opencode } from '../of/opencode.ts'
import { pi } from '../of/pi.ts'
import { runClient } from '../run-client.ts'
import { withServer } from './with-server.ts'
import type { Client } from '../client.ts'

/** The window that the clients believe in, in tokens. */
export const insideWindow = 64_000

/** A client that takes our plugin: where it goes, and how the client is made to do things. */
export interface InsideClient {
  client: Client
  tool: string
  field: string
  /** A plugin that fails. pi does not start at all with a file that it cannot load. */
  broken: string
  /** Puts the plugin where `throughline install` puts it. */
  plugin: (home: string) => string
  /** After `settle`: the small window, and what a machine has on which it has run before. */
  prepare: (home: string) => Promise<void>
  first: (prompt: string) => string[]
  again: (prompt: string) => string[]
  /** Its exit code after the provider has refused a request, although it went on and finished. */
  exitAfterOverflow: number
  /** Makes it compact because somebody asks for it. */
  compact: (place: CompactPlace) => Promise<void>
}

interface CompactPlace {
  command: string
  directory: string
  home: string
  env: Record<string, string>
}

const built = join(import.meta.dirname, '../../packages/throughline/dist/clients')

/** Installs the plugin, or something broken in its place. */
export async function placePlugin(
  inside: InsideClient,
  home: string,
  isBroken: boolean,
): Promise<void> {
  const file = inside.plugin(home)
  await mkdir(dirname(file), { recursive: true })
  if (isBroken) await writeFile(file, inside.broken)
  else await cp(join(built, `${inside.client.name}.js`), file)
}

async function changeJson(file: string, change: (value: never) => void): Promise<void> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'))
  change(value as never)
  await writeFile(file, JSON.stringify(value))
}

type Limits = { limit: { context: number; output: number } }

const insideOpencode: InsideClient = {
  client: opencode,
  tool: 'read',
  field: 'filePath',
  broken: 'export default { id: "throughline", server() { throw new Error("broken") } }\n',
  plugin: (home) => join(home, '.config/opencode/plugins/throughline.js'),
  async prepare(home) {
    const folder = join(home, '.config/opencode')
    await changeJson(
      join(folder, 'opencode.json'),
      (config: { provider: { scripted: { models: { scripted: Limits } } } }) => {
        config.provider.scripted.models.scripted.limit = { context: insideWindow, output: 4_000 }
      },
    )
    // Without these, it waits for the registry at every start.
    const lock = { packages: { '': { dependencies: { '@opencode-ai/plugin': opencode.version } } } }
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  },
  exitAfterOverflow: 1,
  first: (prompt) => ['run', prompt],
  again: (prompt) => ['run', '--continue', prompt],
  async compact({ command, directory, home, env }) {
    const list = await runClient({ command, args: ['session', 'list'], directory, home, env })
    const [session = ''] = /ses_\w+/.exec(list.printed) ?? []
    const serve = { command, args: ['serve', '--port', '4555'], directory, home, env }
    await withServer(serve, async ({ hear }) => {
      await hear(/listening on/)
      const url = `http://127.0.0.1:4555/session/${session}`
      const query = `?directory=${encodeURIComponent(directory)}`
      // A request that comes too early is never answered.
      await untilAnswered(url + query)
      const answer = await fetch(`${url}/summarize${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ providerID: 'scripted', modelID: 'scripted' }),
        signal: AbortSignal.timeout(120_000),
      })
      if (!answer.ok) throw new Error(`summarize: ${answer.status} ${await answer.text()}`)
    })
  },
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (answer?.ok) return
  }
  throw new Error(`${url} is not answered`)
}

const insidePi: InsideClient = {
  client: pi,
  tool: 'read',
  field: 'path',
  broken: `export default function (pi) {
  for (const event of ['session_start', 'context', 'turn_end', 'session_before_compact']) {
    pi.on(event, () => { throw new Error('broken') })
  }
}
`,
  plugin: (home) => join(home, '.pi/agent/extensions/throughline.js'),
  prepare: (home) =>
    changeJson(
      join(home, '.pi/agent/models.json'),
      (models: {
        providers: { scripted: { models: { contextWindow: number; maxTokens: number }[] } }
      }) => {
        for (const model of models.providers.scripted.models) {
          Object.assign(model, { contextWindow: insideWindow, maxTokens: 4_000 })
        }
      },
    ),
  exitAfterOverflow: 0,
  first: (prompt) => ['-p', '--provider', 'scripted', '--model', 'scripted', prompt],
  again: (prompt) => ['-p', '--provider', 'scripted', '--model', 'scripted', '--continue', prompt],
  async compact({ command, directory, home, env }) {
    const args = ['--mode', 'rpc', '--provider', 'scripted', '--model', 'scripted', '--continue']
    await withServer({ command, args, directory, home, env }, async ({ say, hear }) => {
      say(`${JSON.stringify({ id: 'compact', type: 'compact' })}\n`)
      await hear(/"id":"compact"/)
    })
  },
}

export const insideClients: readonly InsideClient[] = [insideOpencode, insidePi]
