import { messageUsage, openConversation } from 'throughline/anthropic'
import { anthropicTools } from '../tools/anthropic-tools.ts'
import { countOf, fieldsOf, objectsOf, textOf } from '../body/json.ts'
import { anthropicSaid } from '../identity/said.ts'
import { endsWith, textsIn, type Talk, type Wire } from './wire.ts'

const beginnings: ReadonlySet<unknown> = new Set(['message_start', 'ping'])

/** `POST …/messages` and `…/messages/count_tokens` */
export const anthropic: Wire = {
  name: 'anthropic',
  api: 'anthropic',
  list: 'messages',
  tools: anthropicTools,
  route(path) {
    if (endsWith(path, 'messages/count_tokens')) return { asks: 'count' }
    return endsWith(path, 'messages') ? { asks: 'answer' } : undefined
  },
  read(field) {
    const output = countOf(field('max_tokens'))
    return {
      model: textOf(field('model')) ?? '',
      streams: field('stream') === true,
      system: field('system'),
      // Long, and seldom looked at.
      get tools() {
        return field('tools')
      },
      ...(output !== undefined && { output }),
      elsewhere: false,
    }
  },
  said: anthropicSaid,
  open: (options) => openConversation(options) as Promise<unknown> as Promise<Talk>,
  systemText: (system) => (typeof system === 'string' ? system : textsIn(objectsOf(system))),
  event(event) {
    if (event['type'] === 'error') return { is: 'failure', error: event }
    return { is: beginnings.has(event['type']) ? 'beginning' : 'content' }
  },
  usage(event, before) {
    const counted = fieldsOf(event['message'])?.['usage'] ?? event['usage']
    // The input is counted when the stream begins, the output when it ends.
    const outputTokens = countOf(fieldsOf(counted)?.['output_tokens'])
    const isEnd = before !== undefined && outputTokens !== undefined
    return messageUsage(counted) ?? (isEnd ? { ...before, outputTokens } : before)
  },
  summary: ({ system, prompt, maxTokens }, { model, path }) => ({
    path,
    body: {
      model,
      max_tokens: maxTokens,
      system,
      messages: [{ role: 'user', content: prompt }],
      stream: false,
    },
  }),
  summaryText([answer = {}]) {
    const blocks = objectsOf(answer['content'])
    const usage = messageUsage(answer['usage'])
    const calls = blocks.some(({ type }) => type === 'tool_use')
    const reason = answer['stop_reason']
    return {
      text: textsIn(blocks.filter(({ type }) => type === 'text')),
      finish: calls
        ? 'tool-calls'
        : reason === 'end_turn'
          ? 'stop'
          : reason === 'max_tokens'
            ? 'length'
            : 'other',
      ...(usage && { usage }),
    }
  },
}
