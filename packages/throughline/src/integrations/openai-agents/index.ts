export { agentsCompaction } from './agents-compaction.ts'
