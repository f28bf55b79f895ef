import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeJson } from '../change-json.ts'
import { opencode } from '../../of/opencode.ts'
import { rivalPlugin } from '../rival.ts'
import { runClient } from '../../run-client.ts'
import { withServer } from '../with-server.ts'
import type { InsideClient } from '../client-trial.ts'

const window = 64_000

interface Config {
  provider: {
    scripted: { models: { scripted: { limit: { context: number; output: number } } } }
  }
}

export const insideOpencode: InsideClient = {
  client: opencode,
  word: 'opencode',
  window,
  overflowsAt: 40_000,
  filesBeforeCompact: 4,
  loadRival: (home) =>
    changeJson(join(home, '.config/opencode/opencode.json'), (config: { plugin?: string[] }) => {
      config.plugin = [rivalPlugin()]
    }),
  read: (filePath) => ({ name: 'read', input: { filePath } }),
  run: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
  write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  broken: {
    '.config/opencode/plugins/throughline.js':
      'export default { id: "throughline", server() { throw new Error("broken") } }\n',
  },
  async prepare(home) {
    const folder = join(home, '.config/opencode')
    await changeJson(join(folder, 'opencode.json'), ({ provider }: Config) => {
      provider.scripted.models.scripted.limit = { context: window, output: 4_000 }
    })
    // Without these, it waits for the registry at every start.
    const lock = { packages: { '': { dependencies: { '@opencode-ai/plugin': opencode.version } } } }
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    return {}
  },
  afterOverflow: { exitCode: 1, compacts: true, learns: true },
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
