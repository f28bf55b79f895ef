import { ownBeginning, ownLines } from '../facts/human/client-forms.ts'
import { partsOf, type Message } from '../log/message.ts'
import type { Origin } from '../log/entry.ts'

type OwnOrigin = Extract<Origin, 'synthetic' | 'harness'>

/** What tells the agent to go on, in a place that cannot hold a mark beside a message. */
export const markedContinue = '[Throughline, not the user: continue.]'

/**
 * The origin of a text that Throughline itself added to the messages; `undefined` for any other
 * text, and for one in which more stands behind ours.
 */
export function ownOrigin(text: string): OwnOrigin | undefined {
  if (text === 'continue' || text === markedContinue) return 'synthetic'
  // Behind a summary in the same message, it begins with a new line.
  const own = text.trimStart()
  if (!ownBeginning.test(own)) return undefined
  const line = ownLines.exec(own)?.[0]
  return line === undefined || own.slice(line.length).trim() === '' ? 'harness' : undefined
}

/** The same for a message, each part of which must be ours. */
export function ownOriginOf(message: Message): OwnOrigin | undefined {
  const origins = partsOf(message).map((part) =>
    part.type === 'text' ? ownOrigin(part.text) : undefined,
  )
  const [origin] = origins
  return origins.every((each) => each === origin) ? origin : undefined
}
