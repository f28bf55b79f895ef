import { entriesIn, rangesAt } from '../log/rewound.ts'
import type { Context } from '../log/context.ts'
import type { Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

/** The newest summary or pruning that is in force. */
export function newestCompaction(log: Chronological, context: Context): Seq | undefined {
  let newest: Seq | undefined
  for (const { kind, seq } of entriesIn(log, rangesAt(context.rewinds, context.seq))) {
    if (kind === 'checkpoint' || kind === 'prune') newest = seq
  }
  return newest
}
