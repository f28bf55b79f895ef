import { claudeCode } from './claude-code/format.ts'
import { claudeCodePlace } from './claude-code/place.ts'
import { claudeCodeWriter } from './claude-code/writer.ts'
import { codex } from './codex/format.ts'
import { codexPlace } from './codex/place.ts'
import { codexWriter } from './codex/writer.ts'
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
  { name: 'codex', prefix: 'codex', format: codex, writer: codexWriter, ...codexPlace },
]
