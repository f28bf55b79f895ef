import { agentFaults } from './agent-faults.ts'
import { summaryFaults } from './summary-faults.ts'
import type { Fault } from './fault.ts'

/** Every row of the table, in its order. */
export const faults: readonly Fault[] = [{ name: 'none' }, ...agentFaults, ...summaryFaults]
