export { chunksOf, type ByteSource } from './byte-lines.ts'
export { claudeCode } from './claude-code/format.ts'
export { codex } from './codex/format.ts'
export { detectFormat, formats } from './detect.ts'
export { EmptySessionError, UnknownSessionError } from './errors.ts'
export { readJsonLines, type JsonLinesOptions } from './json-lines.ts'
export {
  streamSession,
  readSession,
  type ReadSessionOptions,
  type SessionRead,
  type SessionStream,
} from './read-session.ts'
export type { Format, FormatReader, SessionFacts, SkippedLine } from './format.ts'
