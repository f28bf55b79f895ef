import { expect, test } from 'vitest'
import { compactLog } from '../../session/once/compact-log.ts'
import { chronological } from '../../log/order.ts'
import { messageText } from '../../log/message.ts'
import type { Entry } from '../../log/entry.ts'

const rules = 2_000

const log = chronological(
  Array.from({ length: rules }, (_, at): Entry[] => [
    {
      kind: 'message',
      seq: at * 2 + 1,
      at,
      origin: 'human',
      message: { role: 'user', content: `Never touch the folder number${at}x in the repository.` },
    },
    {
      kind: 'message',
      seq: at * 2 + 2,
      at,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: 'Understood.' },
    },
  ]).flat(),
)

test.each(['manual', 'auto'] as const)(
  'more rules than a window holds are cut, the oldest first, when the trigger is %s',
  async (trigger) => {
    const { messages, report } = await compactLog(log, { window: { context: 32_000 }, trigger })
    expect(report).toMatchObject({ action: 'summary', fits: true })
    const [summary] = messages.map(messageText)
    // The newest rules stand word for word, and the oldest are counted.
    for (const at of [rules - 1, rules - 20]) {
      expect(summary).toContain(`- Never touch the folder number${at}x in the repository. [`)
    }
    expect(summary).toMatch(/\d+ older rules of the human are left out here/)
    expect(summary).not.toContain('folder number7x')
  },
)
