import { StoreConflictError } from '../../session/errors.ts'
import { additions, type Additions, type Imported } from './additions.ts'
import type { Store } from '../../session/store.ts'

/** How to import a session into a store. */
export interface ImportOptions {
  /** The session's name in the store. */
  id: string
  /** Where it comes from, for later reference. */
  source?: string
}

/** What an import did. */
export type ImportedSession = Omit<Additions, 'drafts'>

// Somebody else may import the same session at the same time.
const attempts = 3

/**
 * Imports a session into a store in one transaction, or adds what is new in it since the last
 * import. Its entries have the same seqs as in the file, as long as nothing else was written in
 * between; a note after them says where they come from. For an exported session, the log becomes
 * the same, entry for entry.
 * @throws ImportConflictError if the store holds another session under this name
 * @example
 * await importSession(store, await readSession(createReadStream('a.jsonl')), { id: 'a' })
 */
export async function importSession(
  store: Store,
  read: Imported,
  options: ImportOptions,
): Promise<ImportedSession> {
  for (let attempt = 1; ; attempt++) {
    const stored = await store.read(options.id)
    const { drafts, ...done } = additions(read, stored, options)
    if (drafts.length === 0) return done
    try {
      await store.append(options.id, drafts, { newest: stored.length })
      return done
    } catch (error) {
      if (!StoreConflictError.isInstance(error) || attempt === attempts) throw error
    }
  }
}
