export { UnreadableSessionError } from './errors.ts'
export { findSessions, type FindOptions, type FoundSessions } from './find/find-sessions.ts'
export { previewSession, type SessionPreview } from './preview/preview-session.ts'
export { directoryFor } from './install/directory-for.ts'
export { InstallError, type InstallFailure } from './install/errors.ts'
export {
  installSession,
  type InstalledSession,
  type InstallOptions,
} from './install/install-session.ts'
export { readFound } from './read-found.ts'
export { surroundingsOf } from './find-program.ts'
export type {
  DatabaseSession,
  FileSession,
  FoundSession,
  StorageSession,
  Unreadable,
} from './found-session.ts'
export type { PreviewTokens } from './preview/preview-tokens.ts'
