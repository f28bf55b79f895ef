import { describe, expect, it } from 'vitest'
import { openConversation, type AnthropicMessage } from '../../integrations/anthropic/index.ts'
import { openResponses, type ResponsesItem } from '../../integrations/openai/index.ts'
import { asked, anthropicStep, responsesStep, stepOf, task } from './agent-steps.ts'
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

function opened(context: number) {
  let ours = 0
  const options = {
    store: memoryStore(),
    id: 'a',
    window: { context },
    onEvent: (event: SessionEvent) => {
      if (event.type === 'compaction-finished') ours += 1
    },
  }
  return { options, ours: () => ours }
}

async function live(life: Life, { context, trigger }: { context: number; trigger: number }) {
  const { options, ours } = opened(context)
  const requests: (readonly unknown[])[] = []
  let count = 0
  const compacts = (messages: readonly unknown[]): boolean => {
    requests.push([...messages])
    if (heard(messages) <= trigger) return false
    count += 1
    return true
  }
  await life({ compacts }, options)
  const most = Math.max(...requests.map(heard))
  return { ours: ours(), theirs: count, most, requests } satisfies Lived
}

const text = `${theirs}: the parts are read one after the other.`

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
    const lived = await live(life, { context: 32_000, trigger: 12_000 })
    expect(lived.ours).toBe(0)
    // 1,000 tokens a step and 12,000 for each of theirs.
    expect(lived.theirs).toBeGreaterThan(5)
    expect(lived.theirs).toBeLessThan(25)
    const last = JSON.stringify(lived.requests.at(-1))
    expect(last.split(theirs)).toHaveLength(lived.theirs + 1)
    expect(last).toContain(task)
  })

  it.each(lives)('is gone where ours has come behind it: %s', async (_, life) => {
    // Theirs is let go of at once: what stands behind it is all that fits.
    const lived = await live(life, { context: 16_000, trigger: 11_000 })
    expect(lived.most).toBeLessThan(16_000)
    expect(lived.ours + lived.theirs).toBeLessThan(40)
    for (const request of lived.requests) {
      const said = JSON.stringify(request)
      const summary = said.indexOf('<prior-conversation-summary>')
      if (summary >= 0 && said.includes(theirs)) {
        expect(said.indexOf(theirs)).toBeGreaterThan(summary)
      }
    }
  })
})
