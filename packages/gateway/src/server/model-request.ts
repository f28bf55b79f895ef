import { fieldReader, fieldSpans } from '../body/spans.ts'
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
  const field = fieldReader(body, spans.fields)
  return { wire, route, body, spans, field, asked: wire.read(field, route), ...rest }
}

/** What a request asks whose conversation is no list, such as one text; for its price alone. */
export function askedByText({
  wire,
  route,
  body,
}: Pick<ModelRequest, 'wire' | 'route' | 'body'>): Asked | undefined {
  const fields = fieldSpans(body)
  return fields && wire.read(fieldReader(body, fields), route)
}
