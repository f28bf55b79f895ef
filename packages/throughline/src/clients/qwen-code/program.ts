import { hookProcess } from '../hooks/hook-process.ts'

await hookProcess({
  name: 'qwen-code',
  recallTool: 'mcp__throughline__recall',
  before: 'json',
  // It cuts instructions off at 4,000 characters, and takes anything after its compaction.
  takes: { before: 3_950, after: 32_000 },
  isCostly: true,
  forgets: true,
})
