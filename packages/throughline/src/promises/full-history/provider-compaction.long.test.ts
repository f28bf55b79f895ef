import { describe, expect, it } from 'vitest'
import { openConversation } from '../../integrations/anthropic/index.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import { openResponses } from '../../integrations/openai/index.ts'
import type { ResponsesItem } from '../../wires/openai-responses/calls.ts'
import { asked, anthropicStep, responsesStep, stepOf, task } from './agent-steps.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { lines } from '../../testing/generate/agent.ts'
import { messageText } from '../../log/message.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession } from '../../session/session.ts'
import { run } from '../../session/loop/loop.ts'
import type { AssistantPart, Message } from '../../log/message.ts'
import type { SessionEvent } from '../../session/events.ts'

const steps = 200

/** What a request holds for a provider that ignores all before its newest compaction. */
function heard(messages: readonly unknown[]): number {
  const text = messages.map((message) => JSON.stringify(message)).join('\n')
  return Math.ceil(text.slice(Math.max(0, text.lastIndexOf(theirs))).length / 4)
}

const theirs = 'THEIR SUMMARY'

interface Lived {
  ours: number
  theirs: number
  /** The most that the provider had to read. */
  most: number
  requests: readonly (readonly unknown[])[]
}

interface Provider {
  /** Whether the provider compacts while it answers this request. */
  compacts: (messages: readonly unknown[]) => boolean
}

type Life = (provider: Provider, options: ReturnType<typeof opened>['options']) => Promise<void>

function opened() {
  let ours = 0
  const options = {
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    policy: { ...defaultPolicy, prune: () => undefined },
    onEvent: (event: SessionEvent) => {
      if (event.type === 'compaction-finished') ours += 1
    },
  }
  return { options, ours: () => ours }
}

async function live(life: Life, { times }: { times: number }) {
  const { options, ours } = opened()
  const requests: (readonly unknown[])[] = []
  let count = 0
  const compacts = (messages: readonly unknown[]): boolean => {
    requests.push([...messages])
    if (count >= times || heard(messages) <= 12_000) return false
    count += 1
    return true
  }
  await life({ compacts }, options)
  const most = Math.max(...requests.map(heard))
  return { ours: ours(), theirs: count, most, requests } satisfies Lived
}

const text = `${theirs}: ${lines('a note of theirs', 3_000)}`

/** As the AI SDK has the blocks of both providers. */
const parts: Readonly<Record<string, AssistantPart>> = {
  anthropic: { type: 'text', text, providerOptions: { anthropic: { type: 'compaction' } } },
  openai: {
    type: 'custom',
    kind: 'openai.compaction',
    providerOptions: { openai: { type: 'compaction', itemId: 'c', encryptedContent: text } },
  },
}

const ownLoop =
  (part: AssistantPart): Life =>
  async ({ compacts }, options) => {
    const session = await openSession(options)
    await session.say(task)
    let number = 0
    await run({
      session,
      maxSteps: steps,
      step: async ({ messages }) => {
        const compacted = compacts(messages)
        const [answer, result] = stepOf(++number) as [Message, Message]
        const content = [...(compacted ? [part] : []), ...(answer.content as AssistantPart[])]
        const input = (compacted ? 2 : 1) * heard(messages)
        return {
          messages: [{ role: 'assistant', content }, result as Extract<Message, { role: 'tool' }>],
          finish: 'tool-calls',
          usage: { inputTokens: input, outputTokens: 30 },
        }
      },
    })
  }

const anthropic: Life = async ({ compacts }, options) => {
  const conversation = await openConversation(options)
  const all: AnthropicMessage[] = [asked]
  for (let number = 1; number <= steps; number++) {
    const [answer, results] = anthropicStep(number) as [AnthropicMessage, AnthropicMessage]
    const { response } = await conversation.send(all, async (messages) => {
      const block = { type: 'compaction', content: text }
      const said = answer.content as { type: string }[]
      return {
        content: compacts(messages) ? [block, ...said] : said,
        model: 'scripted',
        stop_reason: 'tool_use',
        usage: { input_tokens: heard(messages), output_tokens: 30 },
      }
    })
    all.push({ role: 'assistant', content: response.content }, results)
  }
}

const responses: Life = async ({ compacts }, options) => {
  const conversation = await openResponses(options)
  const all: ResponsesItem[] = [asked as ResponsesItem]
  for (let number = 1; number <= steps; number++) {
    const step = responsesStep(number) as ResponsesItem[]
    const { response } = await conversation.send(all, async (input) => {
      const item = { type: 'compaction', id: `cmp-${number}`, encrypted_content: text }
      return {
        output: compacts(input) ? [item, ...step.slice(0, -1)] : step.slice(0, -1),
        model: 'scripted',
        status: 'completed',
        usage: { input_tokens: heard(input), output_tokens: 30 },
      }
    })
    all.push(...response.output, ...step.slice(-1))
  }
}

const lives: [string, Life][] = [
  ["run, Anthropic's block", ownLoop(parts['anthropic'] as AssistantPart)],
  ["run, OpenAI's item", ownLoop(parts['openai'] as AssistantPart)],
  ['openConversation', anthropic],
  ['openResponses', responses],
]

describe("a provider's own compaction", () => {
  it.each(lives)('stays where it stood, and ours never comes beside it: %s', async (_, life) => {
    const lived = await live(life, { times: Infinity })
    expect(lived.ours).toBe(0)
    // 1,000 tokens a step, and room for about 8,000 behind theirs.
    expect(lived.theirs).toBeGreaterThan(10)
    expect(lived.theirs).toBeLessThan(35)
    const last = JSON.stringify(lived.requests.at(-1))
    expect(last.split(theirs)).toHaveLength(lived.theirs + 1)
    expect(last).toContain(task)
  })

  it.each(lives)('is gone where ours has come behind it: %s', async (_, life) => {
    const lived = await live(life, { times: 1 })
    expect(lived.theirs).toBe(1)
    expect(lived.ours).toBeGreaterThan(2)
    expect(lived.ours).toBeLessThan(20)
    for (const request of lived.requests) {
      const said = JSON.stringify(request)
      expect(said.includes('<prior-conversation-summary>') && said.includes(theirs)).toBe(false)
    }
  })

  it('makes the usage of its answer say nothing of the next request', async () => {
    const session = await openSession(opened().options)
    await session.say(task)
    const content = [parts['anthropic'] as AssistantPart]
    const usage = { inputTokens: 10_000, outputTokens: 30 }
    const message = { role: 'assistant' as const, content }
    await session.append({
      kind: 'message',
      at: 1,
      origin: 'model',
      finish: 'stop',
      usage,
      message,
    })
    expect(session.measure().source).toBe('estimate')
    expect(session.measure().tokens).toBeLessThan(9_000)
    await session.append({
      kind: 'message',
      at: 2,
      origin: 'model',
      usage,
      message: { role: 'assistant', content: 'Yes.' },
    })
    expect(session.measure().source).toBe('usage')
  })

  it.each(Object.entries(parts))(
    'in the kept tail does not hide our summary, and is there again when ours is undone: %s',
    async (_, part) => {
      const session = await openSession(opened().options)
      await session.say(task)
      for (let number = 1; number <= 40; number++) {
        const [answer, result] = stepOf(number) as [Message, Message]
        const content = [...(number === 40 ? [part] : []), ...(answer.content as AssistantPart[])]
        const message = { role: 'assistant' as const, content }
        await session.append(
          { kind: 'message', at: number, origin: 'model', finish: 'tool-calls', message },
          { kind: 'message', at: number, origin: 'tool', message: result },
        )
      }
      const before = session.messages()
      await session.compact()
      const [summary] = session.messages()
      expect(isSummaryBlock(messageText(summary as Message))).toBe(true)
      expect(JSON.stringify(session.messages())).not.toContain(theirs)
      expect(JSON.stringify(session.messages())).toContain('call-40')
      await session.undo()
      expect(session.messages()).toEqual(before)
    },
  )
})
