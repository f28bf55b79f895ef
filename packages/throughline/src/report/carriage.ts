import type { Followed } from './filling.ts'
import type { Seq } from '../log/entry.ts'

/** How often an entry was sent, and what that cost. */
export interface Carriage {
  tokens: number
  times: number
  dollars: number
}

/** Adds up how often each entry was sent. A request costs nothing but its own prefix sums. */
export function carryings() {
  const carried = new Map<Seq, Carriage>()
  const open = new Map<Seq, { tokens: number; times: number; dollars: number }>()
  let times = 0
  let rate = 0

  function close(seq: Seq): void {
    const standing = open.get(seq)
    if (!standing) return
    open.delete(seq)
    const sum = carried.get(seq) ?? { tokens: 0, times: 0, dollars: 0 }
    carried.set(seq, {
      tokens: Math.max(sum.tokens, standing.tokens),
      times: sum.times + times - standing.times,
      dollars: sum.dollars + standing.tokens * (rate - standing.dollars),
    })
  }

  return {
    request(each: number): void {
      times += 1
      rate += each
    },
    follow(byEntry: ReadonlyMap<Seq, number>, { rebuilt, touched }: Followed): void {
      if (rebuilt) {
        for (const [seq, { tokens }] of open) if (byEntry.get(seq) !== tokens) close(seq)
      }
      for (const seq of touched) {
        const tokens = byEntry.get(seq) ?? 0
        if (open.get(seq)?.tokens === tokens) continue
        close(seq)
        open.set(seq, { tokens, times, dollars: rate })
      }
    },
    end(byEntry: ReadonlyMap<Seq, number>): ReadonlyMap<Seq, Carriage> {
      for (const seq of byEntry.keys()) close(seq)
      return carried
    },
  }
}
