/** What a program of a client loads once there is something to do: one file of the package. */
export { answerAhead, answerTo } from './hook-answer.ts'
export { compaction, compactionAhead } from '../claude-code/compaction.ts'
