export { compactContents } from './compact.ts'
export { googleCompaction } from './google-compaction.ts'
