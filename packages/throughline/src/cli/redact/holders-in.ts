import { holderOf, type Holder, type Leak } from '../../session/operations/leak.ts'
import { clipColumns } from '../terminal/columns.ts'
import { counted } from '../terminal/numbers.ts'
import { statusLine } from '../terminal/status-line.ts'
import { takeTurn } from '../turn.ts'
import type { Store } from '../../session/store.ts'
import type { Io } from '../io.ts'

/** The sessions of a store that hold a leak; its own stands first. */
export async function holdersIn(store: Store, leak: Leak, io: Io): Promise<Holder[]> {
  const sessions = await store.sessions()
  const status = statusLine(io)
  const holders: Holder[] = []
  try {
    for (const [index, stored] of sessions.entries()) {
      await status.show((columns) =>
        clipColumns(`looking into ${index + 1} of ${counted(sessions.length, 'session')}`, columns),
      )
      const holder = await holderOf(store, leak, stored)
      if (holder.seqs.length === 0) continue
      if (stored.id === leak.session) holders.unshift(holder)
      else holders.push(holder)
      await takeTurn(io)
    }
    return holders
  } finally {
    await status.clear()
  }
}
