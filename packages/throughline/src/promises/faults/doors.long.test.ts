import { afterAll, describe, expect, it } from 'vitest'
import { compactionBounds } from './bounds.ts'
import { doorNames, type DoorName } from './door-hosts.ts'
import { doorTrial, wireOf } from './door-trial.ts'
import { faults } from './faults.ts'
import type { DoorRecord } from './faults-page.ts'
import { full } from '../../testing/generate/runs.ts'
import { recordedFaults, recordFaults, updates } from './recorded-faults.ts'
import { resultOf } from './faults-page.ts'
import { wrongsIn } from './legal-end.ts'
import type { Fault } from './fault.ts'

/** What the host has to wait for, and what a session from before has, are no matter of a door. */
function hasMeaning({ step, resumed, wires }: Fault, door: DoorName): boolean {
  if (step?.timeout !== undefined || resumed) return false
  return wires === undefined || wires.includes(wireOf[door])
}

// What every door must recover from, also in a short run.
const commonest = 'overflow on one call'

/** One of the doors for each other fault, all of them in a full run. */
const runs = faults.flatMap((fault, index) =>
  doorNames
    .filter((door) => hasMeaning(fault, door))
    .filter(
      (_, at, { length }) => full || updates || fault.name === commonest || at === index % length,
    )
    .map((door) => ({ fault, door, name: fault.name })),
)

// The first request, what the SDK tries again, and a host's two other attempts at each turn.
const mostRequests = 80

const met: DoorRecord[] = faults.map(({ name }) => ({ fault: name, results: {} }))

afterAll(() => {
  if (updates) recordFaults('doors', met)
})

it('the commonest fault is tried behind every door', () => {
  const tried = runs.flatMap(({ name, door }) => (name === commonest ? [door] : []))
  expect(tried.toSorted()).toEqual(doorNames.toSorted())
})

describe('an agent behind another door, at a provider with a fault', () => {
  it.each(runs)(
    'ends legally, with its task or an error, as docs/faults.md says: $door, $name',
    async ({ fault, door }) => {
      const trial = await doorTrial(fault, door)
      const result = resultOf(trial)
      // What `run` asks for a step at most cannot be told here: its steps are the SDK's.
      expect(await wrongsIn(trial, compactionBounds)).toEqual([])
      expect(trial.outcome.length).toBeGreaterThan(0)
      expect(trial.requests.length).toBeLessThan(mostRequests)
      const record = (updates ? met : recordedFaults('doors')).find(
        (one) => one.fault === fault.name,
      )
      if (updates && record) record.results[door] = result
      expect(record?.results[door]).toEqual(result)
    },
  )
})
