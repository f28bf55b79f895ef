export { sqliteStore } from './sqlite-store.ts'
export {
  NotAStoreError,
  SqliteMissingError,
  StoreFailedError,
  StoreVersionError,
  UnstorableValueError,
} from './errors.ts'

export type { StoreFailure } from './errors.ts'
export type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts'
