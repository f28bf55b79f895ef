import { runScenario } from './scenarios.ts'

// One scenario in its own process, which has no network except loopback: `trial.ts <JSON>`.
process.stdout.write(JSON.stringify(await runScenario(JSON.parse(process.argv[2] ?? '{}'))))
