import { fieldsOf } from '../body/json.ts'
import { valueAt } from '../body/spans.ts'
import { readBodySpans, type ReadBody } from '../body/recent-bodies.ts'
import type { Caller } from '../identity/caller.ts'
import type { Asked, Route, Wire } from '../wires/wire.ts'
import type { Headers } from './headers.ts'

/** A request for an answer, as it came. */
export interface ModelRequest {
  wire: Wire
  route: Route
  asked: Asked
  body: Buffer
  spans: ReadBody
  field: (name: string) => unknown
  headers: Headers
  caller: Caller
  base: string
  path: string
  search: string
}

/** A request for an answer that can be read; `undefined` for anything else, which is forwarded. */
export function requestOf(
  { wire, route, body, ...rest }: Omit<ModelRequest, 'asked' | 'spans' | 'field'>,
  read: typeof readBodySpans = readBodySpans,
): ModelRequest | undefined {
  const spans = read(body, wire.list)
  if (!spans) return undefined
  const values = new Map<string, unknown>()
  const field = (name: string): unknown => {
    const span = spans.fields.get(name)
    if (span && !values.has(name)) values.set(name, valueAt(body, span))
    return values.get(name)
  }
  return { wire, route, body, spans, field, asked: wire.read(field, route), ...rest }
}

// What is longer is no request of one text.
const longestText = 1_048_576

/** What a request asks whose conversation is no list, such as one text; for its price alone. */
export function askedByText({
  wire,
  route,
  body,
}: Pick<ModelRequest, 'wire' | 'route' | 'body'>): Asked | undefined {
  if (body.length > longestText) return undefined
  try {
    const fields = fieldsOf(JSON.parse(body.toString('utf8')))
    return fields && wire.read((name) => fields[name], route)
  } catch {
    return undefined
  }
}
