import { createHash } from 'node:crypto'
import { ThroughlineError } from '../../../log/throughline-error.ts'
import type { Entry, EntryDraft, Seq } from '../../../log/entry.ts'
import type {
  AppendCondition,
  Search,
  Selection,
  Store,
  StoredSession,
} from '../../../session/store.ts'

/** One call to a store: the request, the answer and the times. */
export type StoreCall = { started: number; ended: number } & (
  | {
      method: 'append'
      session: string
      drafts: readonly EntryDraft[]
      condition: AppendCondition
      answer: Entry[]
    }
  | {
      method: 'refused append'
      session: string
      condition: AppendCondition
      newest: Seq
    }
  | { method: 'read'; session: string; selection: Selection; answer: Digest }
  | { method: 'search'; session: string; search: Search; answer: Seq[] }
  | { method: 'sessions'; answer: StoredSession[] }
  | { method: 'remove'; session: string }
  | { method: 'redact'; session: string; changes: [Seq, Entry][]; answer: Entry | undefined }
)

/** Entries by their seqs and a hash of their text: the texts themselves are too large to record. */
export interface Digest {
  seqs: Seq[]
  hash: string
}

export function digestOf(entries: readonly Entry[]): Digest {
  const hash = createHash('sha1').update(JSON.stringify(entries)).digest('base64')
  return { seqs: entries.map(({ seq }) => seq), hash }
}

type Timed<Call> = Call extends unknown ? Omit<Call, 'started' | 'ended'> : never

/**
 * The store, with every call reported to `record`. The clocks of all processes on a machine agree.
 */
export function recordingStore(store: Store, record: (call: StoreCall) => void): Store {
  async function timed<Answer>(
    work: () => Promise<Answer>,
    call: (answer: Answer) => Timed<StoreCall>,
  ): Promise<Answer> {
    const started = now()
    const answer = await work()
    record({ started, ended: now(), ...call(answer) } as StoreCall)
    return answer
  }

  return {
    remove: (session) =>
      timed(
        () => store.remove(session),
        () => ({ method: 'remove', session }),
      ),
    read: (session, selection = {}) =>
      timed(
        () => store.read(session, selection),
        (answer) => ({ method: 'read', session, selection, answer: digestOf(answer) }),
      ),
    search: (session, search) =>
      timed(
        () => store.search(session, search),
        (answer) => ({ method: 'search', session, search, answer }),
      ),
    sessions: () =>
      timed(
        () => store.sessions(),
        (answer) => ({ method: 'sessions', answer }),
      ),
    redact: (session, { change, note }) => {
      // An entry is looked at again when it is rewritten: another process may have changed it.
      const changes = new Map<Seq, Entry>()
      const recorded = (entry: Entry): Entry | undefined => {
        const other = change(entry)
        if (other) changes.set(entry.seq, other)
        else changes.delete(entry.seq)
        return other
      }
      return timed(
        () => store.redact(session, { change: recorded, note }),
        (answer) => ({ method: 'redact', session, changes: [...changes], answer }),
      )
    },
    append: async (session, drafts, condition = {}) => {
      const started = now()
      try {
        const answer = await store.append(session, drafts, condition)
        record({ started, ended: now(), method: 'append', session, drafts, condition, answer })
        return answer
      } catch (error) {
        if (!ThroughlineError.isInstance(error) || error.code !== 'STORE_CONFLICT') throw error
        const newest = 'newest' in error ? Number(error.newest) : NaN
        record({ started, ended: now(), method: 'refused append', session, condition, newest })
        throw error
      }
    },
  }
}

/** Nanoseconds of the machine's own clock. */
function now(): number {
  return Number(process.hrtime.bigint())
}
