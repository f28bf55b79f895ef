import { fieldsOf, objectsOf } from '../../json/fields.ts'
import { historyOf } from './history.ts'
import { sweAgentReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Trajectories of SWE-agent and mini-swe-agent: one JSON document a run. */
export const sweAgent: Format = {
  name: 'swe-agent',
  place: 'trajectories/…/<instance>.traj, or <instance>.traj.json of mini-swe-agent',
  recognises: (records) =>
    records.some((value) => {
      const record = fieldsOf(value)
      const history = record && historyOf(record)
      return (
        history !== undefined && objectsOf(history).some(({ role }) => typeof role === 'string')
      )
    }),
  reader: sweAgentReader,
}
