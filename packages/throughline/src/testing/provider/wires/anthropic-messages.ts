import { anthropicProblems } from '../../request-rules/anthropic.ts'
import { anthropicRefusal } from '../refusal-body.ts'
import { nameOf, objectsOf } from '../../../json/fields.ts'
import { saidTexts, textIn } from '../said-texts.ts'
import { sealOf, thoughtlessCalls, unboundThinking } from './bound-thinking.ts'
import type { Wire, WireAnswer, WireEvent } from '../wire.ts'
import type { Fields } from '../refusal-body.ts'
import type { SaidPart } from '../served-request.ts'

/** `POST /v1/messages`. */
export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  serves: (path) => path.endsWith('/messages'),
  said: ({ system, messages }) => [
    ...saidTexts('system', system),
    ...objectsOf(messages).flatMap(saidIn),
  ],
  tools: ({ tools }) => objectsOf(tools).flatMap((tool) => nameOf(tool['name']) ?? []),
  streams: ({ stream }) => stream === true,
  events,
  whole: (answer) => ({
    ...start(answer),
    content: blocksOf(answer).map(({ whole }) => whole),
    ...ending(answer),
  }),
  refusal: anthropicRefusal,
  failure: (body) => ({ event: 'error', data: body }),
  problems: ({ system, tools, messages }) => [
    ...markProblems({ system, tools, messages }),
    ...anthropicProblems({
      ...(system !== undefined && { system: textIn(system) }),
      messages: objectsOf(messages).map(({ role, content }) => ({
        role: String(role),
        content: blocksIn(content).filter(({ type }) => type !== 'thinking'),
      })),
    }),
  ],
  seal: ({ system, messages }) => sealOf(system, objectsOf(messages)),
  unbound: unboundThinking,
  thoughtless: ({ messages }) => thoughtlessCalls(objectsOf(messages)),
}

const mostMarks = 4

/** The API takes four marks of the cache in a request. */
function markProblems(request: Fields): string[] {
  const marks = JSON.stringify(request).split('"cache_control":{').length - 1
  return marks > mostMarks ? [`${marks} blocks with cache_control, of ${mostMarks} at most`] : []
}

function blocksIn(content: unknown): (Fields & { type: string })[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return objectsOf(content).map((block) => ({ ...block, type: String(block['type']) }))
}

function saidIn({ role, content }: Fields): SaidPart[] {
  if (typeof content === 'string') return saidTexts(String(role), content)
  return objectsOf(content).flatMap((block): SaidPart[] => {
    const { type, id, name, input } = block
    if (type === 'tool_use') return [{ type: 'call', id: String(id), name: String(name), input }]
    if (type !== 'tool_result') return saidTexts(String(role), [block])
    return [{ type: 'result', id: String(block['tool_use_id']), text: textIn(block['content']) }]
  })
}

interface Block {
  whole: Fields
  empty: Fields
  deltas: readonly Fields[]
}

function blocksOf({ reasoning, seal, chunks, calls }: WireAnswer): Block[] {
  const blocks: Block[] = []
  if (reasoning !== '') {
    blocks.push({
      whole: { type: 'thinking', thinking: reasoning, signature: seal },
      empty: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: reasoning },
        { type: 'signature_delta', signature: seal },
      ],
    })
  }
  if (chunks.length > 0) {
    blocks.push({
      whole: { type: 'text', text: chunks.join('') },
      empty: { type: 'text', text: '' },
      deltas: chunks.map((text) => ({ type: 'text_delta', text })),
    })
  }
  for (const { id, name, input } of calls) {
    const partial_json = JSON.stringify(input)
    blocks.push({
      whole: { type: 'tool_use', id, name, input },
      empty: { type: 'tool_use', id, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json }],
    })
  }
  return blocks
}

function events(answer: WireAnswer): WireEvent[] {
  const { stop_reason, usage } = ending(answer)
  return [
    named({ type: 'message_start', message: start(answer) }),
    ...blocksOf(answer).flatMap(({ empty, deltas }, index) => [
      named({ type: 'content_block_start', index, content_block: empty }),
      ...deltas.map((delta) => ({
        ...named({ type: 'content_block_delta', index, delta }),
        isText: delta['type'] === 'text_delta',
      })),
      named({ type: 'content_block_stop', index }),
    ]),
    named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }),
    named({ type: 'message_stop' }),
  ]
}

function named(data: { type: string } & Fields): WireEvent {
  return { event: data.type, data }
}

function start(answer: WireAnswer): Fields {
  const { id, model } = answer
  const usage = { ...usageOf(answer), output_tokens: 1 }
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], usage }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['tool-calls', 'tool_use'],
  ['length', 'max_tokens'],
  ['content-filter', 'refusal'],
])

function ending(answer: WireAnswer): { stop_reason: string; usage: Fields } {
  return { stop_reason: reasons.get(answer.finish) ?? 'end_turn', usage: usageOf(answer) }
}

/** This API counts what was read from its cache apart. */
function usageOf({ usage = { input: 0, output: 0, cacheRead: 0 } }: WireAnswer): Fields {
  return {
    input_tokens: usage.input - usage.cacheRead,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
  }
}
