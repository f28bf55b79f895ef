import { describe, test } from 'vitest'
import { nativeText } from '../../formats/openclaw/reader.ts'
import { slotConformance, type SlotMessage } from '../../testing/conformance/slot-conformance.ts'
import { slotOf } from './engine.ts'
import type { Fields } from '../../json/fields.ts'
import type { Store } from '../../session/store.ts'

function native({ key, by, text }: SlotMessage): Fields {
  // The host gives no keys: a message is known by its time.
  const timestamp = [...key].reduce((sum, letter) => sum * 128 + letter.charCodeAt(0), 0)
  return by === 'human'
    ? { role: 'user', content: text, timestamp }
    : {
        role: 'assistant',
        content: [{ type: 'text', text }],
        stopReason: 'stop',
        timestamp,
      }
}

function host(store: Store) {
  const engine = slotOf({
    store,
    settings: () => ({ local: true, off: false, patience: 1_000 }),
    record: () => {},
    memory: () => undefined,
    history: async () => [],
    byHost: async () => ({ ok: true, compacted: false }),
  }).engine()
  return {
    async request(sessionId: string, messages: readonly SlotMessage[]) {
      const made = await engine.assemble({ sessionId, messages: messages.map(native) })
      return made.messages.map(nativeText)
    },
    async commit(sessionId: string, advancementKey: string, messages: readonly SlotMessage[]) {
      await engine.commitTurn({ sessionId, advancementKey, messages: messages.map(native) })
    },
    async compact(sessionId: string) {
      await engine.compact({ sessionId, compactionTarget: 'budget' })
    },
    async fork(parentSessionId: string, childSessionId: string) {
      await engine.prepareSubagentSpawn({
        contextMode: 'fork',
        parentSessionId,
        childSessionId,
        childSessionKey: childSessionId,
      })
    },
    async end(_: string, childSessionKey: string) {
      await engine.onSubagentEnded({ childSessionKey })
    },
  }
}

describe('OpenClaw’s engine', () => {
  test.each(slotConformance)('$name', ({ run }) => run(host))
})
