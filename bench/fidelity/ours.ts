import { compactLog, defaultPolicy } from 'throughline'
import { tokensOf } from './visible.ts'
import type { Compactor } from './compactor.ts'

/** A common window. It bounds the tail by a quarter of what is usable; `keep` bounds it more. */
const window = { context: 200_000 }

/** Throughline as the command line runs it: the default policy, and no model. */
export const throughline: Compactor = {
  name: 'throughline, local summary',
  compact: async ({ log, keep }) => {
    const compacted = await compactLog(log, {
      window,
      trigger: 'manual',
      policy: { ...defaultPolicy, keep: () => keep },
      count: tokensOf,
    })
    const summary = compacted.context.checkpoint?.summary ?? ''
    return { log: compacted.log, summary, messages: compacted.messages }
  },
}
