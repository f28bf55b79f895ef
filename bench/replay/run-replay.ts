import { runAlone } from '../../packages/throughline/src/cli/main.ts'
import { capturedIo, type Setting } from '../../packages/throughline/src/cli/testing/captured-io.ts'
import { replayCommand } from './command.ts'
import type { Ran } from '../../packages/throughline/src/cli/testing/run-main.ts'

/** Runs the replay in this process. */
export async function runReplay(argv: readonly string[], setting: Setting = {}): Promise<Ran> {
  const { io, out, err } = capturedIo(setting)
  const code = await runAlone(replayCommand, argv, io)
  return { code, out: out(), err: err() }
}
