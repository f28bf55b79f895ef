import { ThroughlineError } from '../../../log/throughline-error.ts'
import { draft } from '../store-drafts.ts'
import { same } from './assert.ts'
import type { Entry } from '../../../log/entry.ts'
import type { Store } from '../../../session/store.ts'

/** A new store, and the bytes in which it keeps its entries. */
export interface StoredBytes {
  /** Opens the store as a new process does. */
  open: () => Store | Promise<Store>
  /** Ends what `open` has begun, so that the bytes may change. */
  close: (store: Store) => void | Promise<void>
  /** All that is stored now, by name. */
  read: () => ReadonlyMap<string, Uint8Array>
  /** Replaces what is stored by these bytes, and nothing else stays. */
  write: (bytes: ReadonlyMap<string, Uint8Array>) => void
}

/** One promise of a store whose bytes were damaged; `run` rejects if the store breaks it. */
export interface DamageCase {
  name: string
  /** Another seed damages other places. */
  run: (create: () => StoredBytes, seed?: number) => Promise<void>
}

/** What may happen to a block of `size` bytes at `at`; `from` is where another one begins. */
type Fault = (bytes: Uint8Array, at: number, from: number, size: number) => Uint8Array

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  return changed(new Uint8Array(one.length + other.length), (copy) => {
    copy.set(one)
    copy.set(other, one.length)
  })
}

function changed(bytes: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array {
  const copy = Uint8Array.from(bytes)
  change(copy)
  return copy
}

const faults: Record<string, Fault> = {
  'blocks that changed places': (bytes, at, from, size) =>
    changed(bytes, (copy) => {
      copy.copyWithin(at, from, from + size)
      copy.set(bytes.subarray(at, at + size).subarray(0, bytes.length - from), from)
    }),
  'a block in the place of another': (bytes, at, from, size) =>
    changed(bytes, (copy) => copy.copyWithin(at, from, from + size)),
  'a block that came twice': (bytes, at, _, size) =>
    joined(bytes.subarray(0, at + size), bytes.subarray(at)),
  'a block that went': (bytes, at, _, size) =>
    joined(bytes.subarray(0, at), bytes.subarray(at + size)),
  zeros: (bytes, at, _, size) => changed(bytes, (copy) => copy.fill(0, at, at + size)),
  'a wrong bit': (bytes, at, from) =>
    changed(bytes, (copy) => {
      copy[at] = (copy[at] ?? 0) ^ (1 << (from % 8))
    }),
  'an end that was torn off': (bytes, at) => bytes.subarray(0, at),
}

const sessions = ['s0', 's1', 's2']
const count = 60
const damages = 25
const blocks = [40, 512, 4_096]
const codes: ReadonlySet<string> = new Set(['STORE_FAILED', 'NOT_A_STORE', 'STORE_VERSION'])

// As long as one another, so that one can take another's place.
const markOf = (n: number): string => `mark${String(n).padStart(4, '0')}`

/**
 * What every store must do whose entries are bytes that can rot: it says so, or gives what was
 * stored. Entries may be missing at the end, for nobody can tell that they were there.
 * @example
 * for (const { name, run } of storeDamageConformance) test(name, () => run(() => bytesOfMyStore()))
 */
export const storeDamageConformance: readonly DamageCase[] = [
  ...Object.entries(faults).map(([what, fault]): DamageCase => ({
    name: `says so, or gives what was stored: ${what}`,
    async run(create, seed = 1) {
      const kept = await filled(create())
      const random = numbersFrom(seed)
      for (let time = 0; time < damages; time++) {
        const { name, bytes, at } = placeIn(kept, random)
        const size = blocks[random(blocks.length)] ?? 0
        const from = Math.floor(random(bytes.length) / size) * size
        const start = Math.max(0, Math.min(bytes.length - size, Math.floor(at / size) * size))
        const damaged = fault(bytes, start, from, size)
        await refusalsOf(kept, new Map([...kept.bytes, [name, damaged]]))
      }
    },
  })),
  {
    name: 'says so wherever the words of two entries changed places, or stand twice',
    async run(create) {
      const kept = await filled(create())
      for (let n = 0; n + 4 < count; n += 5) {
        for (const other of [n + 1, n + 3]) {
          for (const isSwap of [true, false]) {
            const changes = [[markOf(n), markOf(other)] as const]
            if (isSwap) changes.push([markOf(other), markOf(n)])
            const damaged = [...kept.bytes].map(
              ([name, bytes]) => [name, withMarks(bytes, changes)] as const,
            )
            const refused = await refusalsOf(kept, new Map(damaged))
            if (refused === 0)
              throw new Error(`${markOf(n)} and ${markOf(other)} are read as right.`)
          }
        }
      }
    },
  },
]

interface Kept {
  place: StoredBytes
  bytes: ReadonlyMap<string, Uint8Array>
  stored: ReadonlyMap<string, readonly Entry[]>
}

async function filled(place: StoredBytes): Promise<Kept> {
  const store = await place.open()
  for (let n = 0; n < count; n++) {
    const drafts = [draft(`${markOf(n)} ${'lorem '.repeat(20)}`)]
    await store.append(sessions[n % sessions.length] ?? '', drafts)
  }
  const stored = new Map<string, readonly Entry[]>()
  for (const name of sessions) stored.set(name, await store.read(name))
  await place.close(store)
  return { place, bytes: new Map(place.read()), stored }
}

/** How many sessions a damaged store refuses to read; what it reads must be what was stored. */
async function refusalsOf(
  { place, stored }: Kept,
  damaged: ReadonlyMap<string, Uint8Array>,
): Promise<number> {
  let refused = 0
  place.write(damaged)
  for (const [name, entries] of stored) {
    let store: Store | undefined
    try {
      store = await place.open()
      const read = await store.read(name)
      same(read, entries.slice(0, read.length))
    } catch (error) {
      if (!ThroughlineError.isInstance(error) || !codes.has(error.code)) throw error
      refused += 1
    } finally {
      if (store) await place.close(store)
    }
  }
  return refused
}

/** Any byte of all that is stored is hit as often as any other. */
function placeIn(
  { bytes: all }: Kept,
  random: (below: number) => number,
): { name: string; bytes: Uint8Array; at: number } {
  let at = random([...all.values()].reduce((sum, { length }) => sum + length, 0))
  for (const [name, bytes] of all) {
    if (at < bytes.length) return { name, bytes, at }
    at -= bytes.length
  }
  throw new Error('The store keeps no bytes.')
}

/** The bytes with texts in the places of others that are as long. */
function withMarks(
  bytes: Uint8Array,
  changes: readonly (readonly [from: string, to: string])[],
): Uint8Array {
  // Latin-1 takes each byte for a character, and gives it back.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const become = new Map(changes)
  const pattern = new RegExp([...become.keys()].join('|'), 'g')
  const changed = text.replaceAll(pattern, (mark) => become.get(mark) ?? mark)
  return Uint8Array.from(changed, (character) => character.charCodeAt(0))
}

/** A source of numbers, each below a limit, that is the same for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
