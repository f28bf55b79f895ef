import { describe, test } from 'vitest'
import { contextEngine } from './context-engine.ts'
import { messageText } from '../../log/message.ts'
import { slotConformance, type SlotMessage } from '../../testing/conformance/slot-conformance.ts'
import type { EngineMessage } from './additions.ts'
import type { Store } from '../../session/store.ts'

function toEngine({ key, by, text }: SlotMessage): EngineMessage {
  return by === 'human'
    ? { key, at: 0, origin: 'human', message: { role: 'user', content: text } }
    : { key, at: 0, origin: 'model', message: { role: 'assistant', content: text } }
}

function host(store: Store) {
  const engine = contextEngine({ store })
  return {
    async request(session: string, messages: readonly SlotMessage[]) {
      const made = await engine.assemble(session, { messages: messages.map(toEngine) })
      return made.messages.map(messageText)
    },
    async commit(session: string, key: string, messages: readonly SlotMessage[]) {
      await engine.commit(session, { key, messages: messages.map(toEngine) })
    },
    compact: (session: string) => engine.compactNext(session, { share: 1 / 4 }),
    fork: engine.fork,
    end: (session: string, child: string) => engine.receive(session, child),
  }
}

describe('an engine for hosts with a slot', () => {
  test.each(slotConformance)('$name', ({ run }) => run(host))
})
