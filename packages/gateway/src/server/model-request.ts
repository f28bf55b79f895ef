import { bodySpans, valueAt, type BodySpans } from '../body/spans.ts'
import type { Asked, Route, Wire } from '../wires/wire.ts'
import type { Headers } from '../upstream/upstream.ts'

/** A request for an answer, as it came. */
export interface ModelRequest {
  wire: Wire
  route: Route
  asked: Asked
  body: Buffer
  spans: BodySpans
  field: (name: string) => unknown
  headers: Headers
  base: string
  path: string
  search: string
}

/** A request for an answer that can be read; `undefined` for anything else, which is forwarded. */
export function requestOf({
  wire,
  route,
  body,
  ...rest
}: Omit<ModelRequest, 'asked' | 'spans' | 'field'>): ModelRequest | undefined {
  const spans = bodySpans(body, wire.list)
  if (!spans) return undefined
  const read = new Map<string, unknown>()
  const field = (name: string): unknown => {
    const span = spans.fields.get(name)
    if (span && !read.has(name)) read.set(name, valueAt(body, span))
    return read.get(name)
  }
  return { wire, route, body, spans, field, asked: wire.read(field, route), ...rest }
}
