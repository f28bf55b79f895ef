import { countOf, textOf } from '../body/json.ts'
import { endsWith, type Wire } from './wire.ts'

/** `POST …/chat/completions` */
export const openaiChat: Wire = {
  name: 'openai-chat',
  api: 'openai',
  list: 'messages',
  route: (path) => (endsWith(path, 'chat/completions') ? { asks: 'answer' } : undefined),
  read(field) {
    const output = countOf(field('max_completion_tokens')) ?? countOf(field('max_tokens'))
    return {
      model: textOf(field('model')) ?? '',
      streams: field('stream') === true,
      system: undefined,
      tools: field('tools'),
      ...(output !== undefined && { output }),
      elsewhere: false,
    }
  },
}
