import { openResponses, responseUsage } from 'throughline/openai'
import { responsesTools } from '../tools/responses-tools.ts'
import { countOf, fieldsOf, listOf, textOf, type Fields } from '../body/json.ts'
import { responsesSaid } from '../identity/said.ts'
import { endsWith, type Talk, type Wire } from './wire.ts'

const beginnings: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
])

/** `POST …/responses` */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  api: 'openai',
  list: 'input',
  tools: responsesTools,
  route(path) {
    if (endsWith(path, 'responses/input_tokens')) return { asks: 'count' }
    return endsWith(path, 'responses') ? { asks: 'answer' } : undefined
  },
  read(field) {
    const output = countOf(field('max_output_tokens'))
    const isSet = (name: string) => field(name) !== undefined && field(name) !== null
    return {
      model: textOf(field('model')) ?? '',
      // OpenRouter’s.
      others: listOf(field('models')).map((one) => textOf(one) ?? ''),
      streams: field('stream') === true,
      system: field('instructions'),
      // Long, and seldom looked at.
      get tools() {
        return field('tools')
      },
      ...(output !== undefined && { output }),
      elsewhere: isSet('previous_response_id') || isSet('conversation'),
    }
  },
  said: responsesSaid,
  open: (options) => openResponses(options) as Promise<unknown> as Promise<Talk>,
  systemText: textOf,
  event(event) {
    const { type } = event
    if (type === 'error') return { is: 'failure', error: event }
    const response = fieldsOf(event['response'])
    if (type === 'response.failed') return { is: 'failure', error: response ?? event }
    return { is: beginnings.has(type) ? 'beginning' : 'content' }
  },
  usage: (event, before) =>
    responseUsage(fieldsOf(event['response'])?.['usage'] ?? event['usage']) ?? before,
  // As a stream: where a plan stands behind the key, no whole answers are given.
  summary: ({ system, prompt }, { model, path }) => ({
    path,
    body: {
      model,
      instructions: system,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }],
      store: false,
      stream: true,
    },
  }),
  summaryText(events) {
    const text = events.flatMap((event) =>
      event['type'] === 'response.output_text.delta' ? [textOf(event['delta']) ?? ''] : [],
    )
    const last = events.findLast(({ type }) =>
      /^response\.(?:completed|incomplete)$/.test(String(type)),
    )
    const usage = last && responseUsage(fieldsOf(last['response'])?.['usage'])
    return {
      text: text.join(''),
      finish: finishOf(last),
      ...(usage && { usage }),
    }
  },
}

function finishOf(last: Fields | undefined): 'stop' | 'length' | 'other' {
  if (!last) return 'other'
  return last['type'] === 'response.completed' ? 'stop' : 'length'
}
