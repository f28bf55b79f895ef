import { baseOf } from '../log/context/items-of.ts'
import { rangesAt, rewindsIn, type Range } from '../log/history.ts'
import { entryAt, indexAfter, type Chronological } from '../log/order.ts'
import { changesView, type Entry, type EntryOf, type Seq } from '../log/entry.ts'
import type { Store } from './store.ts'

/** Small entries that may change the context from any distance. */
const standing = ['rewind', 'pin', 'unpin', 'observation'] as const

/**
 * The entries that a session's context depends on, in order of seq: the newest active checkpoint
 * with what it keeps, everything after it, and the entries that always count. Folding them gives
 * the same context as the whole log, at a cost that doesn't grow with the log.
 */
export async function readRecentLog(
  store: Store,
  session: string,
  breakerFailures: number,
): Promise<Entry[]> {
  const [last] = await store.read(session, { newest: 1 })
  if (!last) return []
  const upTo = last.seq
  const stands = await store.read(session, { kinds: standing, upTo })
  const ranges = rangesAt(rewindsIn(stands), upTo)
  const checkpoint = await newestCheckpoint(store, session, ranges)
  if (!checkpoint) return store.read(session, { upTo })
  const base = baseOf(checkpoint)
  const since = await store.read(session, { after: base, upTo })
  // This checkpoint was made without knowing of another change; the entries that the other one kept
  // may be anywhere.
  if (since.some((entry) => entry.seq < checkpoint.seq && changesView(entry))) {
    return store.read(session, { upTo })
  }
  const kept = checkpoint.tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : []))
  const parts = [
    stands,
    since,
    await store.read(session, { seqs: kept, upTo: base }),
    await breakerCheckpoints(store, session, stands, breakerFailures),
  ]
  return inOrder(parts.flat())
}

/**
 * The entries that the context depends on once this checkpoint is the newest change of the view, of
 * those that are held; `undefined` if others are needed. Almost none stays, and those that go are
 * not looked at.
 * @param unsaid those of the entries that are no messages.
 */
export function leftBy(
  { entries, unsaid }: { entries: Chronological; unsaid: readonly Entry[] },
  checkpoint: EntryOf<'checkpoint'>,
  breakerFailures: number,
): Entry[] | undefined {
  const base = baseOf(checkpoint)
  const seqs = checkpoint.tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : []))
  const early: Entry[] = []
  for (const seq of new Set(seqs)) {
    const entry = entryAt(entries, seq)
    if (!entry) return undefined
    if (seq <= base) early.push(entry)
  }
  const kept = new Set(early)
  const failures = unsaid.filter(isFailure)
  const first = failures.at(-Math.max(1, breakerFailures))?.seq ?? Infinity
  const kinds: ReadonlySet<Entry['kind']> = new Set(standing)
  for (const entry of unsaid) {
    const { seq, kind } = entry
    if (seq > base && seq < checkpoint.seq && changesView(entry)) return undefined
    const counts = kinds.has(kind) || (kind === 'checkpoint' && seq > first)
    if (seq <= base && counts && !kept.has(entry)) early.push(entry)
  }
  return [...inOrder(early), ...entries.slice(indexAfter(entries, base))]
}

async function newestCheckpoint(
  store: Store,
  session: string,
  ranges: readonly Range[],
): Promise<EntryOf<'checkpoint'> | undefined> {
  for (const { from, to } of ranges.toReversed()) {
    const selection = { after: from - 1, upTo: to, kinds: ['checkpoint'], newest: 1 } as const
    const [found] = await store.read(session, selection)
    if (found?.kind === 'checkpoint') return found
  }
  return undefined
}

/** The breaker counts checkpoints since the newest failures; without failures, it needs none. */
async function breakerCheckpoints(
  store: Store,
  session: string,
  stands: readonly Entry[],
  failures: number,
): Promise<Entry[]> {
  const failed = stands.filter(isFailure)
  const first = failed.at(-Math.max(1, failures))
  if (!first) return []
  return store.read(session, { after: first.seq, kinds: ['checkpoint'] })
}

function isFailure(entry: Entry): boolean {
  return entry.kind === 'observation' && entry.observation.type === 'failure'
}

function inOrder(entries: readonly Entry[]): Entry[] {
  const bySeq = new Map<Seq, Entry>(entries.map((entry) => [entry.seq, entry]))
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq)
}
