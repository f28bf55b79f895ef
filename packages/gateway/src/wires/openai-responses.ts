import { countOf, textOf } from '../body/json.ts'
import { endsWith, type Wire } from './wire.ts'

/** `POST …/responses` */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  api: 'openai',
  list: 'input',
  route(path) {
    if (endsWith(path, 'responses/input_tokens')) return { asks: 'count' }
    return endsWith(path, 'responses') ? { asks: 'answer' } : undefined
  },
  read(field) {
    const output = countOf(field('max_output_tokens'))
    const isSet = (name: string) => field(name) !== undefined && field(name) !== null
    return {
      model: textOf(field('model')) ?? '',
      streams: field('stream') === true,
      system: field('instructions'),
      tools: field('tools'),
      ...(output !== undefined && { output }),
      elsewhere: isSet('previous_response_id') || isSet('conversation'),
    }
  },
}
