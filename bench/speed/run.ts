import { benchEstimate } from './estimate.ts'
import { benchPlan } from './plan.ts'
import { benchRead } from './read.ts'
import { benchSteps } from './steps.ts'

await benchPlan()
await benchSteps()
await benchRead()
await benchEstimate()
