import { fieldsOf, objectsOf, textOf, type Fields } from '../body/json.ts'
import { eventText, inputIn } from './tool-wire.ts'
import { responsesSaid } from '../identity/said.ts'
import type { Exchange, OwnCall, OwnResult, RawEvent, StreamFilter, ToolWire } from './tool-wire.ts'

/** The Responses API. The parts of an answer are its items. */
export const responsesTools: ToolWire = {
  // An answer that the provider keeps may be gone on from, and has our call without what it gave.
  mayHide: (field) => field('store') === false,
  names: (tools) => objectsOf(tools).map(({ name, type }) => String(name ?? type)),
  withTools(tools, own) {
    const all = objectsOf(tools)
    if (all.length === 0) return undefined
    return [
      ...all,
      ...own.map(({ name, description, schema }) => ({
        type: 'function',
        name,
        description,
        parameters: schema,
        strict: false,
      })),
    ]
  },
  callOf,
  waits: ({ type }) => String(type).endsWith('_call') && !hosted.has(type),
  partsOf: ({ output }) => objectsOf(output),
  joined: (parts) => [...parts],
  withParts: (answer, parts) => ({ ...answer, output: parts }),
  filter,
  said: ({ parts, results }) => [...echoed(parts), ...results.map(itemOf)],
  restored(following, { rounds, beside }: Exchange) {
    const said = rounds.flatMap(({ parts }) => parts.filter((part) => !callOf(part)))
    let at = 0
    for (const item of said) {
      const came = following[at]
      if (came && sameItem(came, item)) at += 1
    }
    const rest = following.slice(at)
    if (!beside) return rest
    // Behind what the model thought and said, before its other calls.
    const call = rest.findIndex(({ type }) => String(type).endsWith('_call'))
    const before = call < 0 ? 0 : call
    const ours = [...echoed(beside.parts), ...beside.results.map(itemOf)]
    return [...rest.slice(0, before), ...ours, ...rest.slice(before)]
  },
}

/** Calls that the provider answers itself. */
const hosted: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
])

function callOf({ type, call_id: id, name, arguments: input }: Fields): OwnCall | undefined {
  if (type !== 'function_call') return undefined
  return { id: String(id), name: String(name), input: inputIn(textOf(input) ?? '') }
}

/** Reasoning that the provider has not kept can come back only if it is in the item itself. */
function echoed(items: readonly Fields[]): Fields[] {
  return items.flatMap((item) => {
    const { status: _, ...rest } = item
    const isLost = item['type'] === 'reasoning' && textOf(item['encrypted_content']) === undefined
    return isLost ? [] : [rest]
  })
}

function itemOf({ call, text }: OwnResult): Fields {
  return { type: 'function_call_output', call_id: call.id, output: text }
}

function sameItem(one: Fields, other: Fields): boolean {
  if ((one['type'] ?? 'message') !== other['type']) return false
  if (other['type'] !== 'reasoning') {
    return JSON.stringify(responsesSaid(one).says) === JSON.stringify(responsesSaid(other).says)
  }
  return ['encrypted_content', 'id'].some(
    (name) => textOf(one[name]) !== undefined && one[name] === other[name],
  )
}

function filter(isOwn: (call: OwnCall) => boolean): StreamFilter {
  let items: Fields[] = []
  let places = new Map<number, number>()
  const output: Fields[] = []
  let shown = 0
  let round = 0
  let sequence = 0
  let changed = false
  let id: string | undefined
  let ending: RawEvent[] = []

  const numbered = ({ raw, data }: RawEvent, change: Fields = {}): string => {
    const number = sequence++
    if (!data) return raw
    const isSame = !changed && Object.keys(change).length === 0
    const { sequence_number: before } = data
    if (isSame && (before === undefined || before === number)) return raw
    return eventText(
      { ...data, ...change, ...(before !== undefined && { sequence_number: number }) },
      String(data['type']),
    )
  }

  return {
    pass(event) {
      const { data } = event
      const type = String(data?.['type'])
      if (/^response\.(?:created|queued|in_progress)$/.test(type)) {
        id ??= textOf(fieldsOf(data?.['response'])?.['id'])
        return round === 0 ? numbered(event) : ''
      }
      if (/^response\.(?:completed|incomplete)$/.test(type)) {
        ending.push(event)
        return ''
      }
      const index = data?.['output_index']
      if (typeof index !== 'number') return numbered(event)
      const item = fieldsOf(data?.['item'])
      if (type === 'response.output_item.added' && item) {
        const call = callOf(item)
        if (call && isOwn(call)) changed = true
        else places.set(index, shown++)
      }
      const place = places.get(index)
      if (type === 'response.output_item.done' && item) {
        items.push(item)
        if (place !== undefined) output.push(item)
      }
      if (place === undefined) return ''
      return numbered(event, place === index ? {} : { output_index: place })
    },
    peek: () => items,
    takeRound() {
      ;[items, places, ending] = [[], new Map(), []]
      round += 1
    },
    end() {
      return ending
        .map((event) => {
          const response = fieldsOf(event.data?.['response'])
          const whole = { ...response, id: id ?? response?.['id'], output }
          return numbered(event, changed && response ? { response: whole } : {})
        })
        .join('')
    },
  }
}
