import { hookProcess } from '../hooks/hook-process.ts'

await hookProcess({
  name: 'qwen-code',
  recallTool: 'mcp__throughline__recall',
  before: 'json',
  forgets: true,
})
