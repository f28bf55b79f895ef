import { describe, expect, it } from 'vitest'
import { messageText } from '../../log/message.ts'
import { step } from '../../testing/generate/build.ts'
import { illegalities } from '../../testing/legal.ts'
import { compactMessages } from './compact-messages.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'

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

  /** Compacts again and again while the array grows, as an agent that keeps its own does. */
  async function again(rounds: number, copy: (messages: Message[]) => Message[]): Promise<string> {
    let messages: Message[] = [
      { role: 'user', content: 'Please rework the parser. Never push to the remote.' },
      ...messagesOf(
        step(
          'e',
          'Edit',
          { file_path: 'src/parser.ts', old_string: 'a', new_string: 'b' },
          'The file src/parser.ts has been updated.',
        ),
      ),
    ]
    for (let round = 0; round < rounds; round++) {
      const work = Array.from({ length: 12 }, (_, n) =>
        messagesOf(
          step(
            `c${round}-${n}`,
            'Read',
            { file_path: `src/f${n}.ts` },
            'const a = 1\n'.repeat(150),
          ),
        ),
      ).flat()
      messages = copy([...messages, ...work])
      const compacted = await compactMessages(messages, {
        window: { context: 12_000 },
        trigger: 'manual',
      })
      expect(illegalities(compacted.messages)).toEqual([])
      messages = compacted.messages
    }
    return messages.map(messageText).join('\n')
  }

  it('knows what its own output replaced, however often it is called', async () => {
    const text = await again(5, (messages) => messages)
    expect(text.match(/<prior-conversation-summary>/g)).toHaveLength(1)
    expect(text).toContain('Never push to the remote.')
    expect(text).toContain('Please rework the parser.')
    expect(text).toMatch(/edited src\/parser\.ts/)
    expect(text).not.toContain('Latest request: continue')
  })

  it('keeps the rules also where the array was copied through JSON', async () => {
    const text = await again(5, (messages) => JSON.parse(JSON.stringify(messages)) as Message[])
    expect(text.match(/<prior-conversation-summary>/g)).toHaveLength(1)
    expect(text).toContain('Never push to the remote.')
  })

  it.each([
    ['its outputs are what is large, and are pruned first', 20, 1_500],
    ['its request is large, so that a summary comes first', 9_000, 1_500],
    ['what the model says is large', 20, 20],
  ])('compacts a full history once for each growth where %s', async (_, asked, read) => {
    const window = { context: 12_000 }
    const all: Message[] = [{ role: 'user', content: 'Read all of the files. '.repeat(asked / 20) }]
    let compactions = 0
    for (let number = 0; number < 30; number++) {
      const { report, messages } = await compactMessages(all, { window })
      if (report.action !== 'none') compactions += 1
      expect(illegalities(messages)).toEqual([])
      const path = `src/f${number}.ts`
      const said = 'I read on. '.repeat((1_500 - read) / 10)
      all.push({ role: 'assistant', content: [{ type: 'text', text: `Now ${path}. ${said}` }] })
      all.push({ role: 'user', content: 'And the next.' })
      const text = 'const a = 1\n'.repeat(read / 12)
      all.push(...messagesOf(step(`c${number}`, 'Read', { file_path: path }, text)))
    }
    expect(compactions).toBeGreaterThan(0)
    expect(compactions).toBeLessThan(8)
  })
})

function messagesOf(drafts: readonly EntryDraft[]): Message[] {
  return drafts.flatMap((draft) => (draft.kind === 'message' ? [draft.message] : []))
}
