import { describe, expect, it } from 'vitest'
import { doorNames } from './door-hosts.ts'
import { doorTrial, wireOf } from './door-trial.ts'
import { faults } from './faults.ts'
import { full } from '../../testing/generate/runs.ts'
import { wrongsIn } from './legal-end.ts'
import type { DoorName } from './door-hosts.ts'
import type { Fault } from './fault.ts'

/** What the host has to wait for, and what a session from before has, are no matter of a door. */
function hasMeaning({ step, resumed, wires }: Fault, door: DoorName): boolean {
  if (step?.timeout !== undefined || resumed) return false
  return wires === undefined || wires.includes(wireOf[door])
}

/** One of the doors for each fault, all of them in a full run. */
const runs = faults.flatMap((fault, index) =>
  doorNames
    .filter((door, at) => hasMeaning(fault, door) && (full || at === index % doorNames.length))
    .map((door) => ({ fault, door, name: fault.name })),
)

// The first request, what the SDK tries again, and a host's two other attempts at each turn.
const mostRequests = 80

describe('an agent behind another door, at a provider with a fault', () => {
  it.each(runs)(
    'ends legally, with its task or an error: $door, $name',
    async ({ fault, door }) => {
      const trial = await doorTrial(fault, door)
      console.log(door, '|', fault.name, '|', trial.outcome.join(','), trial.requests.length)
      const wrongs = (await wrongsIn(trial)).filter((wrong) => !wrong.endsWith('are allowed'))
      expect(wrongs).toEqual([])
      expect(trial.outcome.length).toBeGreaterThan(0)
      expect(trial.requests.length).toBeLessThan(mostRequests)
    },
  )
})
