import { claudeCode } from './claude-code/format.ts'
import { claudeCodePlace } from './claude-code/place.ts'
import { claudeCodeWriter } from './claude-code/writer.ts'
import type { Harness } from './harness.ts'

/** The harnesses that resume a session which we wrote. */
export const harnesses: readonly Harness[] = [
  {
    name: 'claude-code',
    prefix: 'claude',
    format: claudeCode,
    writer: claudeCodeWriter,
    ...claudeCodePlace,
  },
]
