import { memoryStore } from '../../stores/memory.ts'
import { inStore as sessionIn, type FindSource } from '../../session/recall/follow-ref.ts'
import { inStore, isThere, isUnusable, knownStoreFile } from '../store/open-store.ts'
import { readFoundInput } from './read-session.ts'
import { sessionFound } from './session-found.ts'
import type { Configuration } from '../../config/load-config.ts'
import { addFacts, type StoredFacts } from '../../formats/stored/facts.ts'
import type { Entry } from '../../log/entry.ts'
import type { Io } from '../io.ts'

// A name that came out of a session file means one session or none: no word such as `latest`.
const shortest = 8

/**
 * Finds the session that refs name: in the store, else among those that harnesses keep on this
 * machine, in the directories that may be read. A name only chooses among them; no path is made of
 * it.
 */
export function findSourceFor(
  configuration: Configuration,
  io: Io,
  mayRead: (directory: string | undefined) => boolean = () => true,
): FindSource {
  return async (source) => {
    const store = memoryStore()
    const session = 'source'
    const file = knownStoreFile(configuration)
    const stored =
      file !== undefined && (await isThere(file))
        ? await inStore(configuration, io, async (each) => {
            const place = await sessionIn(each)(source)
            const entries = place && (await each.read(place.session))
            return entries && mayRead(factsOf(entries).directory) ? entries : undefined
          }).catch((error: unknown) => {
            if (isUnusable(error)) return error
            throw error
          })
        : undefined
    if (stored && !(stored instanceof Error)) {
      await store.append(session, stored)
      return { store, session }
    }
    const id = source.name.slice(source.name.indexOf(':') + 1)
    if (source.kind !== 'session' || id.length < shortest) return undefined
    const found = await sessionFound(source.name, io).catch(() => undefined)
    if (!found && stored) throw stored
    if (!found) return undefined
    const { log, facts } = await readFoundInput(found, io, { quiet: true })
    if (!mayRead(facts.directory)) return undefined
    await store.append(session, log)
    return { store, session }
  }
}

function factsOf(entries: readonly Entry[]): StoredFacts {
  const facts: StoredFacts = {}
  for (const entry of entries) addFacts(facts, entry)
  return facts
}
