import { fieldsOf, objectsOf, textOf, type Fields } from '../body/json.ts'
import { eventText, inputIn, withoutBeginning } from './tool-wire.ts'
import type { Exchange, OwnCall, OwnResult, RawEvent, StreamFilter, ToolWire } from './tool-wire.ts'

/** Chat Completions. The parts of an answer: the message without its calls, then each call. */
export const chatTools: ToolWire = {
  names: (tools) => objectsOf(tools).map((tool) => String(fieldsOf(tool['function'])?.['name'])),
  withTools(tools, own) {
    const all = objectsOf(tools)
    if (all.length === 0) return undefined
    return [
      ...all,
      ...own.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: schema },
      })),
    ]
  },
  callOf,
  waits: (part) => part['function'] !== undefined || part['custom'] !== undefined,
  partsOf(answer) {
    const [choice] = objectsOf(answer['choices'])
    const { tool_calls: calls, ...message } = fieldsOf(choice?.['message']) ?? {}
    return [echoed(message), ...objectsOf(calls).map(withoutIndex)]
  },
  joined(parts) {
    const messages = parts.filter((part) => !chatTools.waits(part))
    const joined: Record<string, unknown> = {}
    for (const message of messages) {
      for (const [name, value] of Object.entries(message)) {
        const before = textOf(joined[name])
        const both = before !== undefined && typeof value === 'string'
        if (both) joined[name] = before + value
        else joined[name] = value ?? joined[name]
      }
    }
    return [joined, ...parts.filter(chatTools.waits)]
  },
  withParts(answer, parts, { isFinished }) {
    const [choice = {}, ...others] = objectsOf(answer['choices'])
    const { tool_calls: _, ...message } = fieldsOf(choice['message']) ?? {}
    const calls = parts.filter(chatTools.waits)
    const made = calls.length > 0 ? { tool_calls: calls } : {}
    // Content that begins with what the rounds before have said.
    const said = parts.find((part) => !chatTools.waits(part))
    const finish = isFinished && { finish_reason: 'stop' }
    return {
      ...answer,
      choices: [{ ...choice, message: { ...message, ...said, ...made }, ...finish }, ...others],
    }
  },
  filter,
  said: ({ parts: [message, ...calls], results }) => [
    { role: 'assistant', content: null, ...message, tool_calls: calls },
    ...results.map(messageOf),
  ],
  restored(following, { rounds, beside }: Exchange) {
    const [answer, ...rest] = following
    if (answer?.['role'] !== 'assistant') return [...following]
    let content = answer['content']
    let reasoning = textOf(answer['reasoning_content'])
    for (const { parts } of rounds) {
      const [message] = parts
      const said = textOf(message?.['content']) ?? ''
      if (typeof content === 'string') content = withoutBeginning(content, said)
      const thought = textOf(message?.['reasoning_content']) ?? ''
      if (reasoning !== undefined) reasoning = withoutBeginning(reasoning, thought)
    }
    const calls = [...objectsOf(answer['tool_calls']), ...(beside?.parts ?? [])]
    const restored = {
      ...answer,
      content: content === '' && calls.length > 0 ? null : content,
      ...(reasoning !== undefined && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    }
    return [restored, ...(beside?.results ?? []).map(messageOf), ...rest]
  },
}

/** What a provider may get back of a message: not all that it tells is taken by it. */
const taken = ['content', 'reasoning_content', 'reasoning_details'] as const

function echoed(message: Fields): Fields {
  return Object.fromEntries(
    taken.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])),
  )
}

function withoutIndex(call: Fields): Fields {
  const { index: _, ...rest } = call
  return rest
}

function callOf(part: Fields): OwnCall | undefined {
  const called = fieldsOf(part['function'])
  if (!called) return undefined
  const { name, arguments: input } = called
  return { id: String(part['id']), name: String(name), input: inputIn(textOf(input) ?? '') }
}

function messageOf({ call, text }: OwnResult): Fields {
  return { role: 'tool', tool_call_id: call.id, content: text }
}

/** What pieces of an answer add to. */
const grows: ReadonlySet<string> = new Set(['content', 'reasoning_content', 'reasoning', 'refusal'])

function filter(isOwn: (call: OwnCall) => boolean): StreamFilter {
  let message: Record<string, unknown> = {}
  let calls = new Map<number, Record<string, unknown>>()
  let shown = 0
  const places = new Map<string, number>()
  let round = 0
  let head: Fields | undefined
  let ending: RawEvent[] = []

  function add(delta: Fields): void {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'tool_calls' || name === 'role' || value === null) continue
      const before = message[name]
      if (grows.has(name)) message[name] = `${textOf(before) ?? ''}${String(value)}`
      // Details of reasoning come in pieces, each of which counts.
      else message[name] = Array.isArray(value) ? [...((before as []) ?? []), ...value] : value
    }
  }

  /** Adds a piece of a call; says where the client sees it, if it does. */
  function addCall(piece: Fields): number | undefined {
    const index = Number(piece['index'] ?? calls.size)
    const { name, arguments: input = '' } = fieldsOf(piece['function']) ?? {}
    const known = calls.get(index)
    if (known) {
      const called = known['function'] as Fields
      known['function'] = { ...called, arguments: `${String(called['arguments'])}${String(input)}` }
    } else {
      const { index: _, ...rest } = piece
      calls.set(index, { ...rest, function: { name, arguments: input } })
    }
    const place = `${round} ${index}`
    if (!known && !isOwn({ id: '', name: String(name), input: {} })) places.set(place, shown++)
    return places.get(place)
  }

  return {
    pass(event) {
      const { raw, data } = event
      if (!data) return (ending.push(event), '')
      head ??= data
      const [choice] = objectsOf(data['choices'])
      const delta = fieldsOf(choice?.['delta']) ?? {}
      if (!choice) return (ending.push(event), '')
      add(delta)
      const pieces = objectsOf(delta['tool_calls'])
      const kept = pieces.flatMap((piece): Fields[] => {
        const index = addCall(piece)
        return index === undefined ? [] : [{ ...piece, index }]
      })
      if (textOf(choice['finish_reason']) !== undefined) return (ending.push(event), '')
      if (round === 0 && pieces.length === 0) return raw
      const { tool_calls: _, role, ...rest } = delta
      const isEmpty = Object.values(rest).every((value) => value === '' || value === null)
      if (kept.length === 0 && isEmpty) return ''
      const seen = { ...rest, ...(round === 0 && role !== undefined && { role }) }
      return eventText({
        ...data,
        id: head['id'],
        choices: [{ ...choice, delta: { ...seen, ...(kept.length > 0 && { tool_calls: kept }) } }],
      })
    },
    peek: () => [echoed(message), ...calls.values()],
    takeRound() {
      ;[message, calls, ending] = [{}, new Map(), []]
      round += 1
    },
    end({ isFinished }) {
      const texts = ending.map(({ raw, data }) => {
        const [choice] = objectsOf(data?.['choices'])
        if (!data || (round === 0 && !isFinished && !fieldsOf(choice?.['delta'])?.['tool_calls']))
          return raw
        const last = { ...choice, delta: {}, ...(isFinished && { finish_reason: 'stop' }) }
        return eventText({ ...data, id: head?.['id'], ...(choice && { choices: [last] }) })
      })
      return texts.join('')
    },
  }
}
