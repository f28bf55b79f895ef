import { nameOf, objectsOf, decodedInput } from '../../../json/fields.ts'
import { responsesProblems } from '../../request-rules/openai.ts'
import { responsesRefusal } from '../refusal-body.ts'
import { saidTexts, textIn } from '../said-texts.ts'
import type { Wire, WireAnswer, WireEvent } from '../wire.ts'
import type { Fields } from '../refusal-body.ts'
import type { SaidPart } from '../served-request.ts'

/** `POST /v1/responses`. */
export const responses: Wire = {
  name: 'responses',
  serves: (path) => path.endsWith('/responses'),
  said: ({ instructions, input }) => [
    ...saidTexts('system', instructions),
    ...(typeof input === 'string' ? saidTexts('user', input) : objectsOf(input).flatMap(saidIn)),
  ],
  tools: ({ tools }) => objectsOf(tools).flatMap(toolNames),
  streams: ({ stream }) => stream === true,
  events,
  whole: (answer) => response(answer, statusOf(answer)),
  refusal: responsesRefusal,
  failure: ({ error }, answer) => {
    const failed = { ...response(answer, 'in_progress'), status: 'failed', error }
    return named({ type: 'response.failed', sequence_number: 1_000_000, response: failed })
  },
  problems: ({ input }) =>
    responsesProblems({
      input: objectsOf(input)
        .map((item) => ({ ...item, type: String(item['type'] ?? 'message') }))
        .filter(({ type }) => type !== 'reasoning'),
    }),
}

/** The tools of a namespace are called `namespace.tool` here: no name of a tool has a dot. */
function toolNames({ name, type, tools }: Fields): string[] {
  const own = nameOf(name) ?? nameOf(type)
  if (type !== 'namespace') return own === undefined ? [] : [own]
  return objectsOf(tools).flatMap((tool) => toolNames(tool).map((each) => `${own}.${each}`))
}

function calledIn({ namespace, name }: Fields): string {
  return namespace === undefined ? String(name) : `${String(namespace)}.${String(name)}`
}

function calledAs(name: string): Fields {
  const [namespace, own] = name.split('.', 2)
  return own === undefined ? { name } : { namespace, name: own }
}

function saidIn(item: Fields): SaidPart[] {
  const { type = 'message', role, content } = item
  const id = String(item['call_id'])
  switch (type) {
    case 'message':
      return saidTexts(String(role), content)
    case 'function_call':
      return [{ type: 'call', id, name: calledIn(item), input: decodedInput(item['arguments']) }]
    case 'custom_tool_call':
      return [{ type: 'call', id, name: calledIn(item), input: item['input'] }]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ type: 'result', id, text: textIn(item['output']) }]
    default:
      return [{ type: 'other', role: String(role ?? ''), kind: String(type) }]
  }
}

function itemsOf({ id, chunks, reasoning, calls }: WireAnswer): Fields[] {
  const items: Fields[] = []
  if (reasoning !== '') {
    const summary = [{ type: 'summary_text', text: reasoning }]
    items.push({ type: 'reasoning', id: `rs_${id}`, summary })
  }
  if (chunks.length > 0) {
    const content = [{ type: 'output_text', text: chunks.join(''), annotations: [] }]
    items.push({
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content,
    })
  }
  for (const call of calls) {
    const { id: call_id, name, input } = call
    const item = { type: 'function_call', id: `fc_${call_id}`, status: 'completed' }
    items.push({ ...item, call_id, ...calledAs(name), arguments: JSON.stringify(input) })
  }
  return items
}

function response(answer: WireAnswer, status: 'in_progress' | 'completed' | 'incomplete'): Fields {
  const { id, model, usage } = answer
  const done = status !== 'in_progress'
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 0,
    status,
    model,
    output: done ? itemsOf(answer) : [],
    ...(status === 'incomplete' && { incomplete_details: { reason: reasonOf(answer) } }),
    usage: done && usage ? counted(usage) : null,
  }
}

function counted({ input, output, cacheRead }: NonNullable<WireAnswer['usage']>): Fields {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}

function statusOf({ finish }: WireAnswer): 'completed' | 'incomplete' {
  return finish === 'length' || finish === 'content-filter' ? 'incomplete' : 'completed'
}

function reasonOf({ finish }: WireAnswer): string {
  return finish === 'length' ? 'max_output_tokens' : 'content_filter'
}

function events(answer: WireAnswer): WireEvent[] {
  const status = statusOf(answer)
  const all: WireEvent[] = [
    named({ type: 'response.created', response: response(answer, 'in_progress') }),
    ...itemsOf(answer).flatMap((item, output_index) => itemEvents(item, output_index, answer)),
    named({ type: `response.${status}`, response: response(answer, status) }),
  ]
  return all.map((event, sequence_number) => ({
    ...event,
    data: { ...(event.data as Fields), sequence_number },
  }))
}

function itemEvents(item: Fields, output_index: number, { chunks }: WireAnswer): WireEvent[] {
  const started = {
    ...item,
    status: 'in_progress',
    ...(item['type'] === 'message' && { content: [] }),
  }
  return [
    named({ type: 'response.output_item.added', output_index, item: started }),
    ...(item['type'] === 'message' ? textEvents(item, output_index, chunks) : []),
    ...(item['type'] === 'function_call' ? argumentEvents(item, output_index) : []),
    named({ type: 'response.output_item.done', output_index, item }),
  ]
}

function textEvents(item: Fields, output_index: number, chunks: readonly string[]): WireEvent[] {
  const at = { item_id: item['id'], output_index, content_index: 0 }
  const text = chunks.join('')
  const part = { type: 'output_text', annotations: [] }
  return [
    named({ type: 'response.content_part.added', ...at, part: { ...part, text: '' } }),
    ...chunks.map((delta) => ({
      ...named({ type: 'response.output_text.delta', ...at, delta }),
      isText: true,
    })),
    named({ type: 'response.output_text.done', ...at, text }),
    named({ type: 'response.content_part.done', ...at, part: { ...part, text } }),
  ]
}

function argumentEvents(item: Fields, output_index: number): WireEvent[] {
  const at = { item_id: item['id'], output_index }
  return [
    named({ type: 'response.function_call_arguments.delta', ...at, delta: item['arguments'] }),
    named({
      type: 'response.function_call_arguments.done',
      ...at,
      arguments: item['arguments'],
    }),
  ]
}

function named(data: { type: string } & Fields): WireEvent {
  return { event: data.type, data }
}
