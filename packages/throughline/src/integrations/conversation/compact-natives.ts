import { checkIsList } from '../../log/check-message.ts'
import { callChecker } from './check-calls.ts'
import { compactMessages } from '../../session/once/compact-messages.ts'
import { messagesIn, type Pair } from '../../wires/wire.ts'
import { withStanding } from './standing.ts'
import { writeLike } from '../../wires/remembering/write-like.ts'
import type { RememberingWire } from '../../wires/remembering/remembering.ts'
import type { CompactedLog, CompactLogOptions } from '../../session/once/compact-log.ts'

/** What a compaction returns besides the messages that now fit. */
export type Compacted = Omit<CompactedLog, 'messages'>

/** The messages that now fit, and what was done. */
export interface CompactResult<Native> extends Compacted {
  messages: Native[]
}

/** Compacts messages of an API: unchanged messages come back as the same objects. */
export async function compactNatives<Native>(
  wire: RememberingWire<Native>,
  natives: readonly Native[],
  options: CompactLogOptions,
): Promise<Compacted & { pairs: readonly Pair<Native>[] }> {
  checkIsList(natives)
  const came = wire.read(natives)
  const messages = messagesIn(came)
  callChecker()(messages)
  const { messages: compacted, ...rest } = await compactMessages(messages, options)
  const { pairs } = writeLike(wire, withStanding(messages, compacted), came)
  return { ...rest, pairs }
}
