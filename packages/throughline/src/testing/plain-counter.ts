import { estimatedTokens } from '../tokens/units.ts'
import { messageText } from '../log/message.ts'
import type { Message } from '../log/message.ts'
import type { Counter } from '../tokens/counter.ts'

/** A counter that counts of a message what its text says, for tests that need round figures. */
export function plainCounter(
  count: (text: string) => number,
  {
    message = (each) => count(messageText(each)),
    ratio = 1,
  }: { message?: (message: Message) => number; ratio?: number } = {},
): Counter {
  return {
    text: (text) => estimatedTokens(count(text)),
    message: (each) => estimatedTokens(message(each)),
    ratio,
  }
}
