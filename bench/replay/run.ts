import { runAlone } from '../../packages/throughline/src/cli/main.ts'
import { replayCommand } from './command.ts'

process.exitCode = await runAlone(replayCommand, process.argv.slice(2))
