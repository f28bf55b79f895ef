import { clients } from './clients.ts'
import { resumeOnce } from './resume-once.ts'
import { resumePrinted } from './resume-printed.ts'

// One trial in its own process, which has no network except loopback: `trial.ts <JSON>`.
const { name, ...place } = JSON.parse(process.argv[2] ?? '{}')
const client = clients.find((one) => one.name === name)
if (!client) throw new Error(`No client is called ${name}.`)
const trial = 'throughline' in place ? resumePrinted : resumeOnce
process.stdout.write(JSON.stringify(await trial({ client, ...place })))
