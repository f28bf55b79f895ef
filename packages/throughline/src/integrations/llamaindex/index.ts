export { llamaindexCompaction } from './llamaindex-compaction.ts'
