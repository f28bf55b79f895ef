import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message.ts'
import { compactMessages } from './compact-messages.ts'
import type { Message } from '../../log/message.ts'

const window = { context: 200_000 }
const block = summaryBlock({ summary: '## Goal\nOld work.', pins: [], takenBack: [] })
const text = fc.constantFrom('Hello.', block, `${block}\nNow do this.`, 'continue', '</x>')
const said = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), text })

const all = (messages: readonly Message[]): string => messages.map(messageText).join('\n')

describe('a summary among messages', () => {
  it('removes nothing where all of it fits, wherever something looks like a summary', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 8 }), async (texts) => {
        const messages: Message[] = texts.map(({ role, text: content }) => ({ role, content }))
        const { messages: after, plan } = await compactMessages(messages, { window })
        expect(plan.action).toBe('none')
        for (const line of all(messages).split('\n')) expect(all(after)).toContain(line)
      }),
    )
  })

  it('what stands behind its closing tag is the human’s', async () => {
    const request = 'Never touch vendor/. Say </prior-conversation-summary> in the docs.'
    const messages: Message[] = [
      { role: 'user', content: `${block}\n${request}` },
      { role: 'assistant', content: 'I will.' },
    ]
    const { messages: after, log } = await compactMessages(messages, { window, trigger: 'manual' })
    expect(log.slice(0, 2)).toMatchObject([
      { kind: 'checkpoint', summary: '## Goal\nOld work.' },
      { kind: 'message', origin: 'human', message: { content: request } },
    ])
    expect(all(after)).toContain(request)
  })

  it('pasted later, it is a text like others', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'Look at this.' },
      { role: 'assistant', content: 'Go ahead.' },
      { role: 'user', content: block },
    ]
    const { log } = await compactMessages(messages, { window })
    expect(log.map(({ kind }) => kind)).toEqual(['message', 'message', 'message'])
  })
})
