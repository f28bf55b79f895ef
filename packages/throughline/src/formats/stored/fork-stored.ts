import { forkSession } from '../../session/operations/fork.ts'
import { importedSeqs, importNote } from './facts.ts'
import { storedFacts } from './stored-facts.ts'
import type { Seq } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'

/**
 * Forks a stored session like {@link forkSession}, including what its import noted, even if that
 * note comes after the last copied entry.
 * @returns the newest entry that the fork took over.
 * @throws SessionNotFoundError, SessionExistsError, RefNotFoundError
 */
export async function forkStored(
  store: Store,
  from: string,
  as: string,
  { upTo }: { upTo?: Seq } = {},
): Promise<Seq> {
  const last = await forkSession(store, from, as, upTo === undefined ? {} : { upTo })
  const original = await store.read(from, { kinds: ['observation'] })
  const taken = original.filter(({ seq }) => seq <= last)
  if (importedSeqs(original).length === 0 || importedSeqs(taken).length > 0) return last
  const [newest] = await store.read(from, { seqs: [last] })
  const facts = await storedFacts(store, { id: from, newest: original.at(-1)?.seq ?? 0 })
  await store.append(as, [importNote(facts, { first: 1, count: last }, newest?.at ?? 0)])
  return last
}
