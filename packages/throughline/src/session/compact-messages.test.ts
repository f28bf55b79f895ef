import { describe, expect, it } from 'vitest'
import { step } from '../testing/generate/build.ts'
import { compactMessages } from './compact-log.ts'
import type { Message } from '../log/message.ts'

describe('compactMessages', () => {
  it('leaves the system prompt where it is, and measures it', async () => {
    const system: Message = { role: 'system', content: 'You are a careful agent.' }
    const steps = Array.from({ length: 20 }, (_, n) =>
      step(`c${n}`, 'Read', { file_path: `f${n}.ts` }, 'const a = 1\n'.repeat(200)),
    ).flat()
    const messages: Message[] = [
      system,
      { role: 'user', content: 'look at the files' },
      ...steps.flatMap((draft) => (draft.kind === 'message' ? [draft.message] : [])),
    ]
    const { messages: shorter, plan } = await compactMessages(messages, {
      window: { context: 8_000 },
    })
    expect(shorter.length).toBeLessThan(messages.length)
    expect(shorter[0]).toEqual(system)
    expect(shorter.slice(1).every(({ role }) => role !== 'system')).toBe(true)
    expect(plan.measurement.system).toBeGreaterThan(0)
  })
})
