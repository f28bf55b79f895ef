import { insideClients } from './inside-client.ts'
import { scenariosOf } from './scenarios.ts'
import { installRival } from './rival.ts'
import { isolatedProcess } from '../isolated-trial.ts'
import type { Client } from '../client.ts'
import type { InsideResult } from '../results.ts'
import type { ScenarioResult } from './scenarios.ts'

/** Programs of whose newest generation no copy can be fetched here: their rows say so. */
const notRun: Readonly<Record<string, string>> = { opencode: '2' }

/** Runs our plugin in a client, scenario by scenario; nothing for a client that takes none. */
export async function runInside(
  { name, version }: Client,
  { installed, throughline }: { installed: string; throughline: string },
  shown: (scenario: string, result: ScenarioResult) => void,
): Promise<InsideResult[] | undefined> {
  const inside = insideClients.find(({ client }) => client.name === name)
  if (!inside) return undefined
  if (inside.loadRival) await installRival()
  const scenarios = scenariosOf(inside)
  const results: InsideResult[] = []
  for (const scenario of scenarios) {
    const what = { name, scenario, installed, throughline }
    const answer = await isolatedProcess('inside/trial.ts', what)
    const result: ScenarioResult =
      'failed' in answer ? { problems: [answer.failed] } : (answer.said as ScenarioResult)
    shown(scenario, result)
    const { problems } = result
    results.push({
      version,
      scenario,
      result: problems.length === 0 ? 'passed' : 'failed',
      problems,
    })
  }
  const other = notRun[name]
  if (other !== undefined) {
    for (const scenario of scenarios) {
      results.push({ version: other, scenario, result: 'not run', problems: [] })
    }
  }
  return results
}
