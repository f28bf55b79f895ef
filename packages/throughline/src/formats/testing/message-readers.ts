import { apiWriters } from '../harnesses.ts'
import { harnesses } from '../harnesses.ts'
import { readSession } from '../reading/read-session.ts'
import { messageText, type Message } from '../../log/message.ts'
import { logOf } from '../../session/once/log-of-messages.ts'
import { reconcile } from '../../session/reconcile/reconcile.ts'
import { openSession } from '../../session/session.ts'
import { memoryStore } from '../../stores/memory.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'
import type { FormatWriter } from '../writing/format-writer.ts'
import type { Chronological } from '../../log/order.ts'

/** Takes messages through a place where others keep them, and reads what is there. */
type Reader = (messages: readonly Message[]) => Promise<Chronological>

/** What a client recorded, as it stands in its own file. */
const throughFile =
  (writer: FormatWriter): Reader =>
  async (messages) => {
    const written = messages.map((message) => ({
      message,
      origin: message.role === 'user' ? ('human' as const) : ('model' as const),
      at: 0,
    }))
    const { text } = writer.write({ messages: written, facts: {} }, testIdentity())
    // Only we note who said something: an application does not.
    return (await readSession([text.replaceAll('"throughline"', '"other"')])).log
  }

const openHands: Reader = async (messages) => {
  const history = messages.map((message, id) => ({
    id,
    timestamp: '2025-04-30T17:56:40.640800',
    source: message.role === 'user' ? 'user' : 'agent',
    action: 'message',
    args: { content: messageText(message) },
  }))
  return (await readSession([JSON.stringify({ history })])).log
}

const reconciled: Reader = async (messages) => {
  const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 900_000 } })
  await reconcile(session, messages)
  return session.log()
}

/** Every way in which messages come in. `joins`: this client records a message as one text. */
export const readers: { name: string; read: Reader; joins?: true }[] = [
  ...[...harnesses.map(({ writer }) => writer), ...apiWriters].map((writer) => ({
    name: writer.name,
    read: throughFile(writer),
    ...(writer.name === 'copilot-cli' && { joins: true as const }),
  })),
  { name: 'openhands', read: openHands, joins: true },
  { name: 'an array of messages', read: async (messages) => logOf(messages) },
  { name: 'a session that follows an array', read: reconciled },
]
