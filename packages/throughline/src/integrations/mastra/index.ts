export { mastraCompaction } from './mastra-compaction.ts'
