import { fileLedger } from '../ledger/file-ledger.ts'
import { foldersOf } from './folders.ts'
import type { Ledger } from '../ledger/ledger.ts'

/** The ledger of this user on this machine; `undefined` if it is not known where to keep one. */
export function ledgerOf(env: Readonly<Record<string, string | undefined>>): Ledger | undefined {
  const { path, data } = foldersOf(env)
  return data === undefined ? undefined : fileLedger(path.join(data, 'ledger'))
}
