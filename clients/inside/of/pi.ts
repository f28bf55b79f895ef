import { join } from 'node:path'
import { changeJson } from '../change-json.ts'
import { pi } from '../../of/pi.ts'
import { withServer } from '../with-server.ts'
import type { InsideClient } from '../client-trial.ts'

const window = 64_000

interface Models {
  providers: { scripted: { models: { contextWindow: number; maxTokens: number }[] } }
}

export const insidePi: InsideClient = {
  client: pi,
  word: 'pi',
  window,
  overflowsAt: 40_000,
  filesBeforeCompact: 4,
  read: (path) => ({ name: 'read', input: { path } }),
  run: (command) => ({ name: 'bash', input: { command } }),
  write: (path, content) => ({ name: 'write', input: { path, content } }),
  // pi does not start at all with a file that it cannot load.
  broken: {
    '.pi/agent/extensions/throughline.js': `export default function (pi) {
  for (const event of ['session_start', 'context', 'turn_end', 'session_before_compact']) {
    pi.on(event, () => { throw new Error('broken') })
  }
}
`,
  },
  async prepare(home) {
    await changeJson(join(home, '.pi/agent/models.json'), ({ providers }: Models) => {
      for (const model of providers.scripted.models) {
        Object.assign(model, { contextWindow: window, maxTokens: 4_000 })
      }
    })
    return {}
  },
  afterOverflow: { exitCode: 0, compacts: true, learns: true },
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
