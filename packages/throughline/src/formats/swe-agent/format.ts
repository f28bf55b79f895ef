import { historyOf, sweAgentReader } from './reader.ts'
import { objectsOf } from '../../json/fields.ts'
import { someRecord } from '../reading/some-record.ts'
import type { Format } from '../format.ts'

/** Trajectories of SWE-agent and mini-swe-agent: one JSON document per run. */
export const sweAgent: Format = {
  name: 'swe-agent',
  place: 'trajectories/…/<instance>.traj, or <instance>.traj.json of mini-swe-agent',
  recognises: someRecord((record) =>
    objectsOf(historyOf(record)).some(({ role }) => typeof role === 'string'),
  ),
  reader: sweAgentReader,
}
