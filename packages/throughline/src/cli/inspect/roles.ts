import { entryAt } from '../../log/entry-at.ts'
import type { AssistantMessage, Message } from '../../log/message.ts'
import { partSize } from './part-size.ts'
import { Shares, type Share } from './shares.ts'
import type { Counter } from '../../compaction/plan/measure.ts'
import type { Rendered } from '../../compaction/render/render.ts'
import type { Context } from '../../log/context.ts'
import type { Seq } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'

/** What the context holds by who made it. */
export function roleShares(
  { messages, seqs }: Rendered,
  context: Context,
  log: Chronological,
  counter: Counter,
): Share[] {
  const shares = new Shares()
  messages.forEach((message, index) => {
    const first = index === 0 && context.items[0]?.type === 'summary'
    const role = first ? 'summary' : roleOf(message, seqs[index] ?? 0, log)
    const tokens = counter.message(message)
    if (message.role !== 'assistant') return shares.add(role, tokens)
    addParts(shares, message, tokens, counter)
  })
  return shares.sorted()
}

function roleOf({ role }: Message, seq: Seq, log: Chronological): string {
  if (role === 'tool') return 'tool results'
  if (role === 'assistant') return 'assistant'
  const entry = entryAt(log, seq)
  if (entry?.kind !== 'message') return 'notes of a compaction'
  return entry.origin === 'human' ? 'human' : 'harness'
}

/** An assistant's message is divided into what it said, thought and called. */
function addParts(
  shares: Shares,
  message: AssistantMessage,
  tokens: number,
  counter: Counter,
): void {
  let rest = tokens
  let said = typeof message.content === 'string' ? 1 : 0
  const parts = typeof message.content === 'string' ? [] : message.content
  for (const part of parts) {
    const own = partSize(part, counter)
    if (part.type === 'tool-call') shares.add('tool calls', own)
    else if (part.type === 'reasoning' || part.type === 'reasoning-file')
      shares.add('thinking', own)
    else {
      said += 1
      continue
    }
    rest -= own
  }
  if (said > 0) shares.add('assistant', rest, said)
  // What the message itself costs goes with its first call.
  else shares.add('tool calls', rest, 0)
}
