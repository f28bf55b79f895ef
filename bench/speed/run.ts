import { benchBlocks } from './blocks.ts'
import { benchEstimate } from './estimate.ts'
import { benchGrowth } from './growth.ts'
import { benchLangchain } from './langchain.ts'
import { benchLongSession } from './long-session.ts'
import { benchOverhead } from './overhead.ts'
import { benchOpenPlan, benchPlan } from './plan.ts'
import { benchRead } from './read.ts'
import { benchStall } from './stall.ts'
import { benchSteps } from './steps.ts'
import { benchStore } from './store/bench-store.ts'

// Recall in a tenth of a gigabyte, or in a whole one with `-- --gigabyte`.
const recall = process.argv.includes('--gigabyte') ? 1e9 : 1e8

await benchPlan()
await benchOpenPlan()
await benchGrowth()
await benchSteps()
await benchLongSession()
await benchStall()
await benchBlocks()
await benchOverhead()
await benchLangchain()
await benchStore({ recall })
await benchRead()
await benchEstimate()
