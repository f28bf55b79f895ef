import { chatUsage, openChat } from 'throughline/openai'
import { chatTools } from '../tools/chat-tools.ts'
import { countOf, fieldsOf, listOf, objectsOf, textOf } from '../body/json.ts'
import { chatSaid } from '../identity/said.ts'
import { endsWith, type Talk, type Wire } from './wire.ts'

/** `POST …/chat/completions` */
export const openaiChat: Wire = {
  name: 'openai-chat',
  api: 'openai',
  list: 'messages',
  tools: chatTools,
  route: (path) => (endsWith(path, 'chat/completions') ? { asks: 'answer' } : undefined),
  read(field) {
    const output = countOf(field('max_completion_tokens')) ?? countOf(field('max_tokens'))
    return {
      model: textOf(field('model')) ?? '',
      // OpenRouter’s.
      others: listOf(field('models')).map((one) => textOf(one) ?? ''),
      streams: field('stream') === true,
      system: undefined,
      // Long, and seldom looked at.
      get tools() {
        return field('tools')
      },
      ...(output !== undefined && { output }),
      elsewhere: false,
    }
  },
  said: chatSaid,
  open: (options) => openChat(options) as Promise<unknown> as Promise<Talk>,
  systemText: () => undefined,
  event(event) {
    if (fieldsOf(event['error'])) return { is: 'failure', error: event }
    const [choice] = objectsOf(event['choices'])
    if (!choice) return { is: 'content' }
    const said = fieldsOf(choice['delta']) ?? fieldsOf(choice['message'])
    const isSaid = ['content', 'tool_calls', 'reasoning_content', 'reasoning', 'refusal'].some(
      (name) => said?.[name] !== undefined && said[name] !== null && said[name] !== '',
    )
    return { is: isSaid || textOf(choice['finish_reason']) ? 'content' : 'beginning' }
  },
  usage: (event, before) => chatUsage(event['usage']) ?? before,
  summary({ system, prompt, maxTokens }, { model, path, fields }) {
    const limit = fields['max_tokens'] === undefined ? 'max_completion_tokens' : 'max_tokens'
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ]
    return { path, body: { model, messages, [limit]: maxTokens, stream: false } }
  },
  summaryText([answer = {}]) {
    const [choice] = objectsOf(answer['choices'])
    const message = fieldsOf(choice?.['message'])
    const usage = chatUsage(answer['usage'])
    const reason = choice?.['finish_reason']
    const calls = objectsOf(message?.['tool_calls']).length > 0
    return {
      text: textOf(message?.['content']) ?? '',
      finish: calls ? 'tool-calls' : reason === 'stop' || reason === 'length' ? reason : 'other',
      ...(usage && { usage }),
    }
  },
}
