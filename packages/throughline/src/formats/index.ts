export { apiWriters } from './api-writers.ts'
export { chunksOf, type ByteSource } from './reading/byte-lines.ts'
export { detectFormat, formats } from './detect/detect.ts'
export { EmptySessionError, UnknownSessionError } from './reading/errors.ts'
export { handOver } from './handoff/hand-over.ts'
export { harnesses } from './harnesses.ts'
export { readJsonLines, type JsonLinesOptions } from './reading/json-lines.ts'
export {
  streamSession,
  readSession,
  type ReadSessionOptions,
  type SessionRead,
  type SessionStream,
} from './reading/read-session.ts'
export { ImportConflictError, type Divergence } from './stored/errors.ts'
export { forkStored } from './stored/import-session.ts'
export { importSession, type ImportedSession, type ImportOptions } from './stored/import-session.ts'
export { overviewOf, type SessionOverview } from './stored/overview.ts'
export { readStored } from './stored/read-stored.ts'
export { storedFacts } from './stored/facts.ts'
export { exportSession } from './throughline/export-session.ts'
export { writtenSession } from './writing/written-session.ts'
export type { StoredFacts } from './stored/facts.ts'
export type { Format, FormatReader, SessionFacts, SkippedLine } from './format.ts'
export type {
  Harness,
  PlacedSession,
  ResumedSession,
  SessionPlace,
  Surroundings,
} from './writing/harness.ts'
export type {
  FormatWriter,
  Identity,
  WrittenFile,
  WrittenMessage,
  WrittenSession,
} from './writing/format-writer.ts'
