import { afterAll, describe, expect, it } from 'vitest'
import { OverflowError } from 'throughline'
import { gatewayTrial, type GatewayTrial } from './gateway-trial.ts'
import { wireAgents } from '../testing/agents.ts'
import {
  allWires,
  badWords,
  faults,
  recordedFaults,
  recordFaults,
  rule,
  spokenKey,
  updates,
  type Fault,
  type OutsideResult,
} from '../../../throughline/src/promises/faults/for-other-packages.ts'

const settings = wireAgents.flatMap((agent) =>
  [true, false].map((streams) => ({ agent, streams, name: settingName(agent.name, streams) })),
)

function settingsOf({ wires = allWires }: Fault): typeof settings {
  return settings.filter(({ agent }) => wires.some((wire) => agent.name.endsWith(wire)))
}

function settingName(wire: string, streams: boolean): string {
  return `${wire}, ${streams ? 'streamed' : 'whole'}`
}

/** One of the settings for each fault, all of them where they are recorded. */
const runs = faults.flatMap((fault, index) =>
  settingsOf(fault)
    .filter((_, at, all) => updates || at === index % all.length)
    .map(({ agent, streams, name }) => ({ fault, agent, streams, name: `${fault.name}, ${name}` })),
)

const results = new Map<string, OutsideResult>()

afterAll(() => {
  if (!updates) return
  const records = faults.map((fault) => ({
    fault: fault.name,
    results: Object.fromEntries(
      wireAgents.flatMap(({ name }) => {
        const both = [true, false].flatMap(
          (streams) => results.get(`${fault.name}, ${settingName(name, streams)}`) ?? [],
        )
        return both.length === 0 ? [] : [[name, both]]
      }),
    ),
  }))
  recordFaults('gateway', records)
})

function resultOf({ outcome, requests, events }: GatewayTrial): OutsideResult {
  const done = events.findLast((event) => event.type === 'compaction-finished')
  const summarizer = done?.type === 'compaction-finished' ? done.report.summarizer : undefined
  const by = summarizer === undefined ? undefined : summarizer === 'local' ? 'code' : 'model'
  return { outcome: outcome.join(', '), calls: requests.length, ...(by && { by }) }
}

/** By how many refusals a session learns what its provider wants of thinking. */
function lessonsOf({ rules: { bindsThinking, demandsThinking } = {} }: Fault): number {
  return Number(bindsThinking ?? false) + Number(demandsThinking ?? false)
}

/** What must not be, whatever the provider does. */
function wrongsIn(fault: Fault, trial: GatewayTrial): string[] {
  const { requests, summaries, outcome, problems, log, events, told } = trial
  const main = requests.filter((one) => !summaries.includes(one))
  const illegal = main.filter(({ refused }) => refused === 'illegal').length
  const kept = JSON.stringify([log, problems.map(String), told])
  const reports = events.flatMap((event) =>
    event.type === 'compaction-finished' ? [event.report] : [],
  )
  // Where nothing can be left out, the client gets its provider's refusal.
  const unusual = problems.filter((one) => !OverflowError.isInstance(one))
  const attempts = reports.flatMap((report) => report.attempts)
  const failed = reports.some(
    ({ summarizer, attempts: all }) => summarizer === 'local' && all.length > 0,
  )
  const isRefused = attempts.some(({ refused }) => refused && refused !== 'size')
  return [
    ...unusual.map((problem) => `something went wrong inside: ${String(problem)}`),
    ...(kept.includes(spokenKey) ? ['a key was kept or told'] : []),
    ...(main.every(({ body }) => JSON.stringify(body).includes(rule)) ? [] : ['the rule is gone']),
    ...(main.some(({ body }) => JSON.stringify(body).includes(badWords))
      ? ['bad words were sent']
      : []),
    ...(illegal > lessonsOf(fault) ? [`${illegal} requests were illegal`] : []),
    ...(fault.agent || outcome.join() === 'finished'
      ? []
      : ['a fault of summaries reached the client']),
    ...(!failed || /by code, the last since [^\n]{5,}/.test(told) ? [] : ['nobody is told']),
    ...(isRefused && attempts.length > reports.length ? ['what was refused was asked again'] : []),
  ]
}

describe('a client behind a gateway whose provider has a fault', () => {
  it.each(runs)(
    'goes on where it can, as docs/faults.md says: $name',
    async ({ fault, agent, streams, name }) => {
      const trial = await gatewayTrial(fault, agent, streams)
      const result = resultOf(trial)
      results.set(name, result)
      expect(wrongsIn(fault, trial)).toEqual([])
      if (updates) return
      const record = recordedFaults('gateway').find((one) => one.fault === fault.name)
      expect(record?.results[agent.name]?.[streams ? 0 : 1]).toEqual(result)
    },
  )
})
