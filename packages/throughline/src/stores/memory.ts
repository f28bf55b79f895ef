import { candidates, checkCondition } from './condition.ts'
import { matchingSeqs } from './matches.ts'
import { timeSlices } from '../session/loop/pause.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'
import type { Selection, Store, StoredSession } from '../session/store.ts'

/**
 * A store that lives as long as the process: for tests, and for sessions that needn't be kept. Its
 * entries are frozen copies, so changes that a host makes to its own messages don't change the log.
 * @example
 * const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 200_000 } })
 */
export function memoryStore(): Store {
  // In the order in which the sessions were last written.
  const logs = new Map<string, Entry[]>()
  return {
    async append(session, drafts, condition, { signal } = {}) {
      const turn = timeSlices(signal)
      const copies: EntryDraft[] = []
      for (const draft of drafts) {
        copies.push({ ...frozenCopy(draft) })
        // A short append is done at once, in the order of the calls.
        const others = turn()
        if (others) await others
      }
      const log = logs.get(session) ?? []
      checkCondition(session, { newest: log.length, atOf: (seq) => log[seq - 1]?.at }, condition)
      if (copies.length === 0) return []
      const first = log.length
      for (const copy of copies) {
        log.push(Object.freeze(Object.assign(copy, { seq: log.length + 1 })))
      }
      logs.delete(session)
      logs.set(session, log)
      return log.slice(first)
    },
    async read(session, selection = {}) {
      return selected(logs.get(session) ?? [], selection)
    },
    async search(session, search, { signal } = {}) {
      return matchingSeqs(logs.get(session) ?? [], search, signal)
    },
    async sessions() {
      return [...logs]
        .map(([id, log]): StoredSession => ({ id, newest: log.length, at: log.at(-1)?.at ?? 0 }))
        .toReversed()
    },
    async redact(session, { change, note, known, condition }) {
      const log = logs.get(session) ?? []
      checkCondition(session, { newest: log.length, atOf: (seq) => log[seq - 1]?.at }, condition)
      const mayChange = candidates(known)
      const changed = log.map((entry) => (mayChange(entry.seq) ? change(entry) : undefined))
      const seqs = log.flatMap(({ seq }, index) => (changed[index] ? [seq] : []))
      if (seqs.length === 0) return undefined
      const noted = frozenCopy({ ...note(seqs), seq: log.length + 1 })
      const entries = log.map((entry, index) => {
        const other = changed[index]
        return other ? frozenCopy({ ...other, seq: entry.seq }) : entry
      })
      logs.delete(session)
      logs.set(session, [...entries, noted])
      return noted
    },
    async remove(session) {
      logs.delete(session)
    },
  }
}

/** The selected entries of a whole log; of those that `newest` leaves out, none is looked at. */
export function selected(log: readonly Entry[], selection: Selection): Entry[] {
  const { after = 0, upTo = log.length, kinds, seqs, newest = Infinity } = selection
  const [first, last] = [Math.max(0, after) + 1, Math.min(log.length, upTo)]
  const entries: Entry[] = []
  const take = (entry: Entry | undefined): void => {
    if (entry && (!kinds || kinds.includes(entry.kind))) entries.push(entry)
  }
  if (seqs) {
    const wanted = [...new Set(seqs)].filter((seq) => seq >= first && seq <= last)
    for (const seq of wanted.sort((one, other) => one - other)) take(log[seq - 1])
    return newest === Infinity ? entries : entries.slice(Math.max(0, entries.length - newest))
  }
  if (newest === Infinity) {
    const all = log.slice(first - 1, Math.max(first - 1, last))
    return kinds ? all.filter(({ kind }) => kinds.includes(kind)) : all
  }
  for (let seq = last; seq >= first && entries.length < newest; seq--) take(log[seq - 1])
  return entries.toReversed()
}

/**
 * A copy of plain data that nobody can change. Texts are shared, so the cost depends on the
 * structure and not on its size. Values other than plain objects and arrays (bytes, a URL) are kept
 * as they are.
 * @example
 * frozenCopy({ list: [1] }).list.push(2) // throws a TypeError
 */
export function frozenCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const field = frozenCopy((value as Record<string, unknown>)[key])
    if (key !== '__proto__') copy[key] = field
    // Assigned, it would be no field.
    else Object.defineProperty(copy, key, { value: field, enumerable: true })
  }
  return Object.freeze(copy) as Value
}
