import type { ProviderMetadata, TextStreamPart, ToolSet } from 'ai'
import { providerOptions } from './provider-options.ts'
import { toolOutput } from './tool-output.ts'
import type {
  AssistantMessage,
  AssistantPart,
  ReasoningPart,
  TextPart,
  ToolMessage,
  ToolPart,
} from '../../log/message.ts'

/** What has arrived of a step so far. */
export interface PartialStep {
  take: (part: TextStreamPart<ToolSet>) => void
  /**
   * The text so far, the calls that were made and the results that arrived. Reasoning is whole or
   * absent; nothing is empty.
   */
  messages: () => Promise<(AssistantMessage | ToolMessage)[]>
}

type Result = Extract<TextStreamPart<ToolSet>, { type: 'tool-result' | 'tool-error' }>

/** Collects the parts of a stream in case it doesn't reach its end. */
export function partialStep(tools: ToolSet | undefined): PartialStep {
  const parts: AssistantPart[] = []
  const results: Result[] = []
  const open = new Map<string, TextPart | ReasoningPart>()
  const unfinished = new Set<AssistantPart>()

  function start(type: 'text' | 'reasoning', id: string, metadata?: ProviderMetadata): void {
    const part = { type, text: '', ...providerOptions(metadata) }
    parts.push(part)
    open.set(`${type} ${id}`, part)
    if (type === 'reasoning') unfinished.add(part)
  }

  function extend(key: string, text: string, metadata?: ProviderMetadata): void {
    const part = open.get(key)
    if (!part) return
    part.text += text
    Object.assign(part, providerOptions(metadata))
  }

  return {
    take(part) {
      switch (part.type) {
        case 'text-start':
          return start('text', part.id, part.providerMetadata)
        case 'text-delta':
          return extend(`text ${part.id}`, part.text, part.providerMetadata)
        case 'reasoning-start':
          return start('reasoning', part.id, part.providerMetadata)
        case 'reasoning-delta':
          return extend(`reasoning ${part.id}`, part.text, part.providerMetadata)
        case 'reasoning-end': {
          extend(`reasoning ${part.id}`, '', part.providerMetadata)
          const ended = open.get(`reasoning ${part.id}`)
          if (ended) unfinished.delete(ended as ReasoningPart)
          return
        }
        case 'tool-call': {
          const { toolCallId, toolName, input, providerExecuted, providerMetadata } = part
          parts.push({
            type: 'tool-call',
            toolCallId,
            toolName,
            input,
            ...(providerExecuted && { providerExecuted }),
            ...providerOptions(providerMetadata),
          })
          return
        }
        case 'tool-result':
          if (!part.preliminary) results.push(part)
          return
        case 'tool-error':
          results.push(part)
          return
      }
    },
    async messages() {
      const said = parts.filter((part) => !unfinished.has(part) && !isEmpty(part))
      const calls = said.some((part) => part.type === 'tool-call')
      const words = said.some((part) => part.type === 'text')
      const assistant: AssistantMessage = {
        role: 'assistant',
        content: [...said, ...(await outputs(results.filter(isProviders), tools))],
      }
      const arrived = await outputs(inOrder(results, said), tools)
      const tool: ToolMessage = { role: 'tool', content: arrived }
      // Reasoning alone is nothing that another step could continue from.
      return [...(calls || words ? [assistant] : []), ...(arrived.length > 0 ? [tool] : [])]
    },
  }
}

function isProviders({ providerExecuted }: Result): boolean {
  return providerExecuted === true
}

/** The results of our own tools, in the order of their calls and not of their arrival. */
function inOrder(results: readonly Result[], parts: readonly AssistantPart[]): Result[] {
  const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
  return results
    .filter((result) => !isProviders(result))
    .toSorted((a, b) => ids.indexOf(a.toolCallId) - ids.indexOf(b.toolCallId))
}

function isEmpty(part: AssistantPart): boolean {
  return part.type === 'text' && part.text.trim() === ''
}

async function outputs(
  results: readonly Result[],
  tools: ToolSet | undefined,
): Promise<Extract<ToolPart, { type: 'tool-result' }>[]> {
  return Promise.all(
    results.map(async (result) => ({
      type: 'tool-result',
      toolCallId: result.toolCallId,
      toolName: result.toolName,
      output: await toolOutput(result, tools),
    })),
  )
}
