import { hookProcess } from '../hooks/hook-process.ts'

await hookProcess({ name: 'codex', recallTool: 'mcp__throughline__recall', before: 'none' })
