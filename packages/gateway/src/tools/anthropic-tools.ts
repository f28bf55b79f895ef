import { fieldsOf, objectsOf, textOf, type Fields } from '../body/json.ts'
import { eventText, inputIn, withoutBeginning } from './tool-wire.ts'
import type { Exchange, OwnCall, OwnResult, RawEvent, StreamFilter, ToolWire } from './tool-wire.ts'

/** The Messages API. The parts of an answer are its blocks. */
export const anthropicTools: ToolWire = {
  names: (tools) => objectsOf(tools).map(({ name }) => String(name)),
  withTools(tools, own) {
    const all = objectsOf(tools)
    if (all.length === 0) return undefined
    const ours = own.map(({ name, description, schema }) => ({
      name,
      description,
      input_schema: schema,
    }))
    // Before the client's mark of the cache, so that the mark stays at the end.
    const last = all.at(-1)
    if (last?.['cache_control'] === undefined) return [...all, ...ours]
    return [...all.slice(0, -1), ...ours, last]
  },
  callOf,
  waits: ({ type }) => type === 'tool_use',
  partsOf: ({ content }) => objectsOf(content),
  joined: (parts) => [...parts],
  withParts: (answer, parts, { isFinished }) => ({
    ...answer,
    content: parts,
    ...(isFinished && { stop_reason: 'end_turn' }),
  }),
  filter,
  said: ({ parts, results }) => [
    // A text without a word is not taken back.
    { role: 'assistant', content: parts.filter(({ text }) => text !== '') },
    { role: 'user', content: results.map(blockOf) },
  ],
  restored(following, { rounds, beside }: Exchange) {
    const [answer, next, ...rest] = following
    if (answer?.['role'] !== 'assistant') return [...following]
    const said = rounds.flatMap(({ parts }) => parts.filter((part) => !callOf(part)))
    let blocks = blocksOf(answer['content'])
    for (const block of said) {
      const [first, ...others] = blocks
      if (!first || first['type'] !== block['type']) continue
      if (sameBlock(first, block)) blocks = others
      else if (first['type'] === 'text') {
        const text = withoutBeginning(String(first['text']), String(block['text']))
        if (text !== first['text']) blocks = [{ ...first, text }, ...others]
      }
    }
    // An answer that said nothing more is left as the client has it.
    if (blocks.length === 0) blocks = blocksOf(answer['content'])
    if (!beside) return [{ ...answer, content: blocks }, ...following.slice(1)]
    const results = beside.results.map(blockOf)
    return [
      { ...answer, content: [...blocks, ...beside.parts] },
      ...(next?.['role'] === 'user'
        ? [{ ...next, content: [...results, ...blocksOf(next['content'])] }]
        : [{ role: 'user', content: results }, ...(next ? [next] : [])]),
      ...rest,
    ]
  },
}

function callOf({ type, id, name, input }: Fields): OwnCall | undefined {
  return type === 'tool_use' ? { id: String(id), name: String(name), input } : undefined
}

function blockOf({ call, text }: OwnResult): Fields {
  return { type: 'tool_result', tool_use_id: call.id, content: text }
}

function blocksOf(content: unknown): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

function sameBlock(one: Fields, other: Fields): boolean {
  const { cache_control: _, ...rest } = one
  return one['type'] === 'text'
    ? one['text'] === other['text']
    : JSON.stringify(rest) === JSON.stringify(other)
}

function filter(isOwn: (call: OwnCall) => boolean): StreamFilter {
  let blocks = new Map<number, Record<string, unknown>>()
  let places = new Map<number, number>()
  let inputs = new Map<number, string>()
  let shown = 0
  let round = 0
  let output = 0
  let ending: RawEvent[] = []

  function begin(index: number, block: Fields): void {
    blocks.set(index, { ...block })
    const call = callOf(block)
    if (!call || !isOwn(call)) places.set(index, shown++)
  }

  function add(index: number, delta: Fields): void {
    const block = blocks.get(index)
    if (!block) return
    const grow = (name: string, by: unknown): void => {
      block[name] = `${textOf(block[name]) ?? ''}${String(by)}`
    }
    switch (delta['type']) {
      case 'text_delta':
        return grow('text', delta['text'])
      case 'thinking_delta':
        return grow('thinking', delta['thinking'])
      case 'signature_delta':
        return grow('signature', delta['signature'])
      case 'input_json_delta':
        inputs.set(index, `${inputs.get(index) ?? ''}${String(delta['partial_json'])}`)
        return undefined
      case 'citations_delta':
        block['citations'] = [...objectsOf(block['citations']), delta['citation']]
        return undefined
      default:
        return undefined
    }
  }

  return {
    pass(event) {
      const { raw, data } = event
      const index = Number(data?.['index'])
      switch (data?.['type']) {
        case 'message_start':
          return round === 0 ? raw : ''
        case 'message_delta':
        case 'message_stop':
          ending.push(event)
          return ''
        case 'content_block_start':
          begin(index, fieldsOf(data['content_block']) ?? {})
          break
        case 'content_block_delta':
          add(index, fieldsOf(data['delta']) ?? {})
          break
        case 'content_block_stop':
          break
        default:
          return raw
      }
      const place = places.get(index)
      if (place === undefined) return ''
      return place === index ? raw : eventText({ ...data, index: place }, String(data['type']))
    },
    peek: () =>
      [...blocks].map(([index, block]) => {
        const input = inputs.get(index)
        return input === undefined ? block : { ...block, input: inputIn(input) }
      }),
    takeRound() {
      for (const { data } of ending) {
        output += Number(fieldsOf(data?.['usage'])?.['output_tokens'] ?? 0)
      }
      ;[blocks, places, inputs, ending] = [new Map(), new Map(), new Map(), []]
      round += 1
    },
    end({ isFinished }) {
      return ending
        .map(({ raw, data }) => {
          if (data?.['type'] !== 'message_delta' || (round === 0 && !isFinished)) return raw
          const usage = fieldsOf(data['usage'])
          const delta = fieldsOf(data['delta'])
          return eventText(
            {
              ...data,
              delta: { ...delta, ...(isFinished && { stop_reason: 'end_turn' }) },
              ...(usage && {
                usage: { ...usage, output_tokens: Number(usage['output_tokens'] ?? 0) + output },
              }),
            },
            'message_delta',
          )
        })
        .join('')
    },
  }
}
