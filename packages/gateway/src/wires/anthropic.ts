import { countOf, textOf } from '../body/json.ts'
import { endsWith, type Wire } from './wire.ts'

/** `POST …/messages` and `…/messages/count_tokens` */
export const anthropic: Wire = {
  name: 'anthropic',
  api: 'anthropic',
  list: 'messages',
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
      tools: field('tools'),
      ...(output !== undefined && { output }),
      elsewhere: false,
    }
  },
}
