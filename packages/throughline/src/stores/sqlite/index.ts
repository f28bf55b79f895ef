export { sqliteStore } from './sqlite-store.ts'
export { StoreFailedError, StoreVersionError } from './errors.ts'

export type { SqliteStore } from './sqlite-store.ts'
