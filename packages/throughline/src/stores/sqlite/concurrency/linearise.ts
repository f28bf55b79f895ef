import { isDeepStrictEqual } from 'node:util'
import { memoryStore } from '../../memory.ts'
import { digestOf, type StoreCall } from './recording-store.ts'
import type { Entry, Seq } from '../../../log/entry.ts'
import type { Store } from '../../../session/store.ts'

type Call<Method extends StoreCall['method']> = Extract<StoreCall, { method: Method }>
type Write = Call<'append' | 'redact'>
type Look = Call<'read' | 'search' | 'refused append' | 'append'>

/**
 * Repeats in a memory store what several processes did at the same time, in the order of the
 * assigned seqs, and returns that store.
 * @throws Error if an answer is impossible in any sequential order.
 */
export async function linearise(calls: readonly StoreCall[]): Promise<Store> {
  const model = memoryStore()
  const writes = Map.groupBy(calls.filter(isWrite), ({ session }) => session)
  // A fork that met a redaction was removed and made again.
  const removals = calls.filter((call) => call.method === 'remove')
  const lasts = (call: Write): boolean =>
    !removals.some(({ session, started }) => session === call.session && call.ended < started)
  const looks = Map.groupBy(calls.filter(isLook), ({ session }) => session)
  for (const session of new Set([...writes.keys(), ...looks.keys()])) {
    await lineariseSession(
      model,
      writes.get(session)?.filter(lasts) ?? [],
      looks.get(session) ?? [],
    )
  }
  for (const call of calls) if (call.method === 'sessions') checkList(call, writes, lasts)
  return model
}

function isWrite(call: StoreCall): call is Write {
  if (call.method === 'append') return call.answer.length > 0
  return call.method === 'redact' && call.answer !== undefined
}

/**
 * What shows the state of a session at some moment; an empty append shows that its condition held.
 */
function isLook(call: StoreCall): call is Look {
  return ['read', 'search', 'refused append', 'append'].includes(call.method) && !isWrite(call)
}

/** The first and the last entry of a write. */
function madeBy(write: Write): { first: Seq; last: Seq; at: number } {
  const made = [write.answer].flat() as Entry[]
  return { first: made[0]?.seq ?? NaN, last: made.at(-1)?.seq ?? NaN, at: made.at(-1)?.at ?? NaN }
}

async function lineariseSession(
  model: Store,
  writes: readonly Write[],
  looks: readonly Look[],
): Promise<void> {
  const open = new Map(looks.map((look) => [look, momentsOf(look, writes)]))
  const explain = async (newest: Seq): Promise<void> => {
    for (const [look, { from, to }] of open) {
      if (newest < from || newest > to) continue
      if (await explains(model, look, newest)) open.delete(look)
    }
  }
  await explain(0)
  let newest = 0
  for (const write of writes.toSorted((one, other) => madeBy(one).first - madeBy(other).first)) {
    if (madeBy(write).first !== newest + 1) throw unexplained('leaves a gap or overlaps', write)
    if (!wasRight(write, newest)) throw unexplained('went through against its condition', write)
    const answer = await again(model, write)
    if (!isSameData(answer, write.answer)) throw unexplained('was answered otherwise', write)
    newest = madeBy(write).last
    await explain(newest)
  }
  const [left] = open.keys()
  if (left) throw unexplained('has an answer that was true at no moment', left)
}

/** The newest entries that the session may have had during this call. */
function momentsOf({ started, ended }: Look, writes: readonly Write[]): { from: Seq; to: Seq } {
  const moments = { from: 0, to: 0 }
  for (const write of writes) {
    const { last } = madeBy(write)
    if (write.ended < started) moments.from = Math.max(moments.from, last)
    if (write.started < ended) moments.to = Math.max(moments.to, last)
  }
  return moments
}

function wasRight(write: Write, newest: Seq): boolean {
  return write.method !== 'append' || (write.condition.newest ?? newest) === newest
}

async function again(model: Store, write: Write): Promise<unknown> {
  if (write.method === 'append') {
    return model.append(write.session, write.drafts, write.condition)
  }
  const changes = new Map(write.changes)
  return model.redact(write.session, {
    change: ({ seq }) => changes.get(seq),
    note: (seqs) => {
      if (!isSameData(seqs, [...changes.keys()])) throw unexplained('changed other entries', write)
      return write.answer as Entry
    },
  })
}

async function explains(model: Store, look: Look, newest: Seq): Promise<boolean> {
  switch (look.method) {
    case 'refused append':
      return look.newest === newest && look.condition.newest !== newest
    case 'append':
      return (look.condition.newest ?? newest) === newest
    case 'read':
      return isSameData(digestOf(await model.read(look.session, look.selection)), look.answer)
    case 'search': {
      const found = await model.search(look.session, look.search)
      return isSameData(found.toSorted(byNumber), look.answer.toSorted(byNumber))
    }
  }
}

/** The list is sorted by last write, as far as clocks can tell. */
function checkList(
  call: Call<'sessions'>,
  writes: ReadonlyMap<string, readonly Write[]>,
  lasts: (write: Write) => boolean,
): void {
  const listed = call.answer.map(({ id, newest, at }) => {
    // A fork that was overtaken by a redaction is removed, and made once more with the same entries.
    const write = writes
      .get(id)
      ?.findLast((each) => madeBy(each).last === newest && each.started <= call.ended)
    if (!write || madeBy(write).at !== at) {
      throw unexplained(`lists ${id} as it never was`, call)
    }
    return write
  })
  for (const [index, write] of listed.entries()) {
    const later = listed.slice(index + 1).find((other) => write.ended < other.started)
    if (later) throw unexplained('is in another order', call)
  }
  for (const [id, made] of writes) {
    const listedId = call.answer.some((stored) => stored.id === id)
    if (!listedId && made.some((write) => lasts(write) && write.ended < call.started)) {
      throw unexplained(`does not list ${id}`, call)
    }
  }
}

function byNumber(one: number, other: number): number {
  return one - other
}

/** As JSON represents it: an undefined field doesn't exist. */
function isSameData(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function unexplained(what: string, call: StoreCall): Error {
  return new Error(`A call ${what}: ${JSON.stringify(call).slice(0, 2_000)}`)
}
