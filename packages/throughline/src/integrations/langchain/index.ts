export { compactionMiddleware } from './compaction-middleware.ts'
export { langchainSummarizer } from './summarizer.ts'
