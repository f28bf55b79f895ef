import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startProvider, type ServedRequest } from 'throughline/testing/provider'
import { behindClients, type BehindClient } from './behind.ts'
import { makeWorkspace } from '../inside/workspace.ts'
import { prompt, rule, thoughts } from '../inside/agent.ts'
import { pairProblems } from '../inside/check.ts'
import { runClient } from '../run-client.ts'
import type { ProviderScript } from 'throughline/testing/provider'

/** What goes wrong, and whether the gateway stands in between. */
export const gatewayScenarios = [
  'the provider refuses what is too long',
  'too much usage is reported, always',
] as const

export type GatewayScenario = (typeof gatewayScenarios)[number]

interface GatewayPlace {
  name: string
  scenario: GatewayScenario
  isBehind: boolean
  installed: string
  home: string
}

/** How a long task of a client ended. */
export interface GatewayResult {
  problems: string[]
  /** What was asked of the model for the task, and what of it was refused. */
  requests: number
  refused: number
  printed?: string
}

const files = 26
/** The tokens that the provider takes; the client believes in more. */
const window = 44_000
// A client without an end is ended.
const mostRequests = 90
const end = 'All of them are read.'

const command = join(import.meta.dirname, '../../packages/throughline/bin/throughline.js')

/** Runs one long task with a real client and a scripted provider. */
export async function runGatewayScenario(place: GatewayPlace): Promise<GatewayResult> {
  const { name, scenario, isBehind, installed, home } = place
  const behind = behindClients.find(({ client }) => client.name === name)
  if (!behind) throw new Error(`No client behind a gateway is called ${name}.`)
  const { directory, files: all } = await makeWorkspace(join(home, 'work/project'), files)
  const usual = scenario === 'the provider refuses what is too long'
  const { script, read } = readingModel(behind, all, usual ? undefined : 10_000_000)
  const rules = { window: usual ? window : Infinity, strict: behind.isLenient !== true }
  const provider = await startProvider({ model: 'scripted', script, rules })
  try {
    const settled = { home, cache: installed, url: provider.url, model: 'scripted' }
    const env = await behind.client.settle(settled)
    const program = join(installed, 'node_modules/.bin', behind.client.command)
    const own = behind.run(prompt)
    const ran = await runClient({
      ...(isBehind
        ? { command: process.execPath, args: [command, 'run', '--', program, ...own] }
        : { command: program, args: own }),
      home,
      directory,
      env,
    })
    const main = provider.requests.filter((request) => request.tools.includes(behind.tool))
    const taken = main.filter(({ refused }) => refused === undefined)
    const problems = [
      ...(ran.exitCode === 0 ? [] : [`it ended with ${ran.exitCode}`]),
      ...(read() === files ? [] : [`${read()} of ${files} files were read`]),
      ...(ran.printed.includes(end) ? [] : ['it did not say that it was done']),
      ...(provider.requests.length < mostRequests ? [] : ['it went on without an end']),
      ...(isBehind ? behindProblems(main, taken, home) : []),
    ]
    return {
      problems,
      requests: main.length,
      refused: main.length - taken.length,
      ...(problems.length > 0 && { printed: ran.printed }),
    }
  } finally {
    await provider.close()
  }
}

/** What must hold of every request that has gone through the gateway. */
function behindProblems(
  main: readonly ServedRequest[],
  taken: readonly ServedRequest[],
  home: string,
): string[] {
  const problems = taken.flatMap(pairProblems)
  const illegal = main.filter(({ refused }) => refused === 'illegal')
  if (illegal.length > 0) problems.push(`${illegal.length} requests were illegal`)
  for (const { number, said } of taken) {
    const text = said.map((part) => ('text' in part ? part.text : '')).join('\n')
    if (!text.includes(rule)) problems.push(`request ${number} lacks the rule`)
  }
  if (!existsSync(join(home, '.local/share/throughline/gateway/sessions.db'))) {
    problems.push('the gateway has kept nothing')
  }
  return problems
}

/** A model that reads one file after the other, and says a lot about each. */
function readingModel(
  { tool, reads }: BehindClient,
  all: readonly string[],
  usage: number | undefined,
): { script: ProviderScript; read: () => number } {
  let read = 0
  let requests = 0
  const script: ProviderScript = ({ tools }) => {
    requests += 1
    if (requests > mostRequests) return { refuses: 'failure' }
    const counted = usage === undefined ? {} : { usage: { input: usage, output: 10 } }
    if (!tools.includes(tool)) return { text: 'Notes were read.' }
    const file = all[read]
    if (file === undefined) return { text: end, ...counted }
    read += 1
    const calls = [{ id: `call_marigold${read}of26`, name: tool, input: reads(file) }]
    return { text: thoughts(read), calls, ...counted }
  }
  return { script, read: () => read }
}
