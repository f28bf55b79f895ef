import { hookProcess } from '../hooks/hook-process.ts'
import { hookTokens } from './compact-prompt.ts'

await hookProcess({
  name: 'codex',
  recallTool: 'mcp__throughline__recall',
  before: 'none',
  takes: { before: 0, after: hookTokens * 4 },
})
