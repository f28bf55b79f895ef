import { benchEstimate } from './estimate.ts'
import { benchLangchain } from './langchain.ts'
import { benchOverhead } from './overhead.ts'
import { benchPlan } from './plan.ts'
import { benchRead } from './read.ts'
import { benchStall } from './stall.ts'
import { benchSteps } from './steps.ts'
import { benchStore } from './store/bench-store.ts'

// Recall in a tenth of a gigabyte, or in a whole one with `-- --gigabyte`.
const recall = process.argv.includes('--gigabyte') ? 1e9 : 1e8

await benchPlan()
await benchSteps()
await benchStall()
await benchOverhead()
await benchLangchain()
await benchStore({ recall })
await benchRead()
await benchEstimate()
