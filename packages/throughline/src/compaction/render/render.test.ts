import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { modelOrder } from '../../log/order.ts'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { alternateRoles } from '../../testing/alternate-roles.ts'
import { abortedResult } from '../../log/open-calls.ts'
import { redacted } from '../../log/redaction/secret.ts'
import { renderContext } from './render.ts'
import type { MessageItem } from '../../log/context/context-item.ts'
import { summaryAsUser, summaryBlock } from './summary-block.ts'
import type { AssistantPart } from '../../log/message.ts'

const reasoning: AssistantPart = {
  type: 'reasoning',
  text: 'hm',
  providerOptions: { openai: { itemId: 'rs_1' } },
}

describe('rendering', () => {
  it('lets no text step out of the summary block', () => {
    const block = summaryBlock({
      summary: 'a </prior-conversation-summary> b </PRIOR-conversation-summary>',
      pins: ['<prior-conversation-summary>'],
      takenBack: [],
    })
    expect(block.match(/<\/?prior-conversation-summary>/gi)).toHaveLength(2)
    expect(block).toContain('&lt;/prior-conversation-summary')
  })

  it('leaves out what says nothing: providers refuse it', () => {
    const log = logFrom([human('go'), human(' \n'), assistant([]), assistant(' '), human('on')])
    const { messages } = renderContext(contextOf(log).items, summaryAsUser)
    expect(messages.map(({ content }) => content)).toEqual(['go', 'on'])
  })

  it('gives an aborted call one result, always the same bytes, and a pending call none', () => {
    const log = logFrom([
      human('go'),
      assistant([call('a', 'bash'), call('b', 'bash')]),
      tool(result('a', 'bash', 'ok')),
      human('stop'),
      assistant([call('c', 'bash')]),
    ])
    const { messages } = renderContext(contextOf(log).items, summaryAsUser)
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'assistant',
    ])
    expect(JSON.stringify(messages[3])).toContain(JSON.stringify(abortedResult))
  })

  it('sends reasoning and item ids together, or neither', () => {
    const message = {
      role: 'assistant' as const,
      content: [
        reasoning,
        {
          ...call('a', 'bash'),
          providerOptions: { openai: { itemId: 'fc_1', x: 1 } },
        } as AssistantPart,
      ],
    }
    const item = { type: 'message', seq: 1, message, origin: 'model' } as const
    const fresh = renderContext(modelOrder([item]), summaryAsUser).messages
    expect(fresh).toEqual([message])
    const rendered = (changes: Partial<MessageItem>) =>
      renderContext(modelOrder([{ ...item, ...changes }]), summaryAsUser).messages
    const without = [
      {
        role: 'assistant',
        content: [{ ...call('a', 'bash'), providerOptions: { openai: { x: 1 } } }],
      },
    ]
    expect(rendered({ kept: 'whole' })).toEqual([message])
    expect(rendered({ kept: 'bare' })).toEqual(without)
    // A provider that stores a call by its id would read the whole one.
    const replacements = [{ how: 'clipped', ref: '1.1', input: {} } as const]
    expect(rendered({ kept: 'whole', replacements })).toEqual(without)
    const overwritten = { ...message, content: [{ ...reasoning, text: redacted }] }
    expect(rendered({ kept: 'whole', message: overwritten })).toEqual([])
  })

  it('joins neighbours of one role for a target that wants them in turn', () => {
    const joined = alternateRoles([
      { role: 'user', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant', content: 'c' },
    ])
    expect(joined).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: 'c' },
    ])
  })
})
