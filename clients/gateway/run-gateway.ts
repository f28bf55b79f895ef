import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { behindClients } from './behind.ts'
import { gatewayScenarios, type GatewayResult, type GatewayScenario } from './scenarios.ts'
import { isolatedProcess } from '../isolated-trial.ts'
import type { Client } from '../client.ts'

/** What a client did with a long task: alone, and behind the gateway. */
interface GatewayTrial {
  scenario: GatewayScenario
  alone: GatewayResult
  behind: GatewayResult
}

/** Runs a client on long tasks, alone and behind the gateway; nothing for one that cannot be. */
export async function runGateway(
  { name }: Client,
  installed: string,
  shown: (what: string, result: GatewayResult) => void,
): Promise<GatewayTrial[] | undefined> {
  const known = behindClients.find(({ client }) => client.name === name)
  if (!known) return undefined
  const trials: GatewayTrial[] = []
  const [refused, reported] = gatewayScenarios
  for (const scenario of known.loops ? [refused, reported] : [refused]) {
    const ran = async (isBehind: boolean): Promise<GatewayResult> => {
      const what = { name, scenario, isBehind, installed }
      const answer = await isolatedProcess('gateway/trial.ts', what)
      const result =
        'failed' in answer
          ? { problems: [answer.failed], requests: 0, refused: 0 }
          : (answer.said as GatewayResult)
      shown(`${scenario}${isBehind ? ', behind the gateway' : ''}`, result)
      return result
    }
    const [alone, behind] = [await ran(false), await ran(true)]
    trials.push({ scenario, alone: recorded(alone), behind: recorded(behind) })
  }
  return trials
}

/** Writes what a client did over what is recorded of it; other clients stay. */
export async function saveGatewayResults(path: string, result: GatewayRecord): Promise<void> {
  const kept = existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as GatewayRecord[]) : []
  const all = [...kept.filter(({ name }) => name !== result.name), result]
  const sorted = all.sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeFile(path, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** What is recorded of one client. */
interface GatewayRecord {
  name: string
  version: string
  /** The day it was run. */
  date: string
  trials: readonly GatewayTrial[]
}

/** Without what it printed. */
function recorded({ problems, requests, refused }: GatewayResult): GatewayResult {
  return { problems, requests, refused }
}
