import { runGatewayScenario } from './scenarios.ts'

// One run in its own process, which has no network except loopback: `trial.ts <JSON>`.
process.stdout.write(JSON.stringify(await runGatewayScenario(JSON.parse(process.argv[2] ?? '{}'))))
