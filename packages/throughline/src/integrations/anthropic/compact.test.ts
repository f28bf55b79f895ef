import { describe, expect, test } from 'vitest'
import { anthropicProblems } from '../../testing/request-rules/anthropic.ts'
import { breakpointsIn } from './breakpoints.ts'
import { compact } from './compact.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import type { MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'

const window = { context: 16_000 }
/** So that a summary is made where pruning would do. */
const settings = { window, policy: { ...defaultPolicy, prune: () => undefined } }

/** A task and steps that read a file each. */
function longTask(steps: number, name = 'c'): MessageParam[] {
  return [
    { role: 'user', content: 'Read all files. Never edit main.ts.' },
    ...Array.from({ length: steps }, (_, index): MessageParam[] => [
      {
        role: 'assistant',
        content: [
          ...(name === 'thought'
            ? [{ type: 'thinking' as const, thinking: 'Next.', signature: `s${index}` }]
            : []),
          { type: 'text', text: `File ${index}.` },
          {
            type: 'tool_use',
            id: `${name}${index}`,
            name: 'read',
            input: { path: `src/${index}.ts` },
          },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `${name}${index}`,
            content: `const value${index} = ${index}\n`.repeat(120),
          },
        ],
      },
    ]).flat(),
  ]
}

function firstText(message: MessageParam | undefined): string {
  const content = message?.content
  return typeof content === 'string' ? content : ((content?.[0] as TextBlockParam)?.text ?? '')
}

describe('compact', () => {
  test('gives the same objects back where all fits', async () => {
    const messages = longTask(3)
    const { messages: same, report } = await compact(messages, settings)
    expect(report.action).toBe('none')
    expect(same.every((message, index) => message === messages[index])).toBe(true)
    expect(same).toHaveLength(messages.length)
  })

  test('puts a summary before a tail of the very objects that came', async () => {
    const messages = longTask(30)
    const { messages: shorter, report } = await compact(messages, settings)
    expect(report.action).toBe('summary')
    expect(isSummaryBlock(firstText(shorter[0]))).toBe(true)
    expect(firstText(shorter[0])).toContain('Never edit main.ts.')
    expect(shorter.at(-2)).toBe(messages.at(-2))
    expect(shorter.at(-1)?.content?.[0]).toBe(messages.at(-1)?.content?.[0])
    expect(shorter.at(-1)?.content?.[1]).toEqual({ type: 'text', text: 'continue' })
    expect(report.after).toBeLessThan(report.before)
  })

  test('leaves the thinking of the current loop where it is, and older thinking out whole', async () => {
    const messages = longTask(30, 'thought')
    const { messages: shorter } = await compact(messages, settings)
    expect(JSON.stringify(messages[1])).toContain('thinking')
    expect(shorter.at(-2)).toBe(messages.at(-2))
    // Copies: of the same objects the first compaction is still known, and still fits.
    const asked: MessageParam[] = [
      ...structuredClone(messages),
      { role: 'user', content: 'And now?' },
    ]
    const { messages: next } = await compact(asked, settings)
    expect(JSON.stringify(next)).not.toContain('thinking')
  })

  test('knows what stood behind its own summary when the array has grown', async () => {
    const once = await compact(longTask(30), settings)
    const grown = [...once.messages, ...longTask(30, 'more').slice(1)]
    const twice = await compact(grown, settings)
    expect(twice.log.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(2)
    expect(firstText(twice.messages[0])).toContain('Never edit main.ts.')
  })

  test('keeps what the developer says in between', async () => {
    const messages = longTask(30)
    messages.splice(3, 0, { role: 'system', content: 'Answer in French from now on.' })
    const { messages: shorter } = await compact(messages, settings)
    expect(shorter[0]).toBe(messages[3])
    expect(isSummaryBlock(firstText(shorter[1]))).toBe(true)
    const again = await compact([...shorter, ...longTask(30, 'more').slice(1)], settings)
    expect(again.messages[0]).toBe(messages[3])
    expect(again.messages.filter(({ role }) => role === 'system')).toHaveLength(1)
  })

  test('gives roles in turn, and a request that the API takes', async () => {
    const { messages } = await compact(longTask(30), settings)
    const content = (message: MessageParam) =>
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : message.content
    const body = {
      messages: messages.map((message) => ({ ...message, content: content(message) })),
    }
    expect(anthropicProblems(body as never)).toEqual([])
  })

  test('finds the summary again in an array that was copied through JSON', async () => {
    const once = await compact(longTask(30), settings)
    const copy = JSON.parse(JSON.stringify(once.messages)) as MessageParam[]
    const asked: MessageParam = { role: 'user', content: 'And now?' }
    const twice = await compact([...copy, asked], { ...settings, trigger: 'manual' })
    expect(firstText(twice.messages[0])).toContain('Never edit main.ts.')
    const [first] = twice.log
    expect(first?.kind).toBe('checkpoint')
    expect(JSON.stringify(twice.messages)).toContain('And now?')
  })

  test('prunes old outputs where that is enough, and leaves what else stands beside them', async () => {
    const messages = longTask(30)
    const policy = { ...defaultPolicy, pruneAlone: () => true }
    const { messages: shorter, report } = await compact(messages, { window, policy })
    expect(report.action).toBe('prune')
    expect(shorter).toHaveLength(messages.length)
    expect(shorter.filter((message, index) => message !== messages[index]).length).toBeGreaterThan(
      5,
    )
    expect(shorter[1]).toBe(messages[1])
    expect(JSON.stringify(shorter[2])).toContain('<tool-output-compacted')
  })

  test("keeps the provider's own compaction first", async () => {
    const messages = longTask(30)
    const compacted = [
      { type: 'compaction', content: 'What came before.', signature: 'sealed' },
      { type: 'text', text: 'On we go.' },
    ]
    messages.unshift({ role: 'assistant', content: compacted as never })
    const { messages: shorter } = await compact(messages, settings)
    expect(shorter[0]).toEqual({ role: 'assistant', content: compacted.slice(0, 1) })
    expect(isSummaryBlock(firstText(shorter[1]))).toBe(true)
  })

  test('refuses the result of a call that is not there', async () => {
    await expect(compact(longTask(3).slice(2), settings)).rejects.toMatchObject({
      code: 'MESSAGE_CONVERSION',
    })
  })
})

describe('breakpoints of the prompt cache', () => {
  const mark = { type: 'ephemeral' as const }

  function marked(messages: MessageParam[], index: number): void {
    const blocks = messages[index]?.content as TextBlockParam[]
    blocks[blocks.length - 1] = { ...(blocks.at(-1) as TextBlockParam), cache_control: mark }
  }

  test('that would be lost move to the end of the summary', async () => {
    const messages = longTask(30)
    marked(messages, 2)
    marked(messages, 60)
    const { messages: shorter } = await compact(messages, settings)
    expect(shorter[0]?.content?.at(-1)).toMatchObject({ cache_control: mark })
    expect(shorter.at(-1)?.content?.[0]).toBe(messages[60]?.content?.[0])
    expect(breakpointsIn(shorter)).toEqual([mark, mark])
    const again = await compact([...shorter, ...longTask(30, 'more').slice(1)], settings)
    expect(again.log.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(2)
    expect(breakpointsIn(again.messages)).toHaveLength(2)
  })

  test('are never more than the API takes, those of system and tools among them', async () => {
    const messages = longTask(30)
    for (const index of [2, 4, 6, 60]) marked(messages, index)
    const system = [{ type: 'text' as const, text: 'Be brief.', cache_control: mark }]
    const tools = [{ name: 'read', input_schema: {}, cache_control: mark }]
    const { messages: shorter } = await compact(messages, { ...settings, system, tools })
    expect(breakpointsIn([shorter, system, tools])).toHaveLength(4)
    const few = longTask(3)
    for (const index of [1, 2, 3, 4, 5]) marked(few, index)
    const { messages: same } = await compact(few, { ...settings, system, tools })
    expect(same.map((message) => breakpointsIn(message).length)).toEqual([0, 0, 0, 0, 1, 1, 0])
  })

  test('are not made where there were none', async () => {
    const { messages } = await compact(longTask(30), settings)
    expect(breakpointsIn(messages)).toEqual([])
  })

  test('may be moved by the caller, in place, without a summary being forgotten', async () => {
    const once = await compact(longTask(30), settings)
    const grown = [...once.messages, ...longTask(30, 'more').slice(1)]
    const [summary] = grown
    if (summary) summary.content = [{ type: 'text', text: firstText(summary), cache_control: mark }]
    const twice = await compact(grown, settings)
    expect(twice.log.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(2)
  })
})
