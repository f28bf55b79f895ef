/** Where a value stands in a body: `[start, end)` in bytes. */
export interface Span {
  start: number
  end: number
}

/** A body's own fields, and the elements of the list that holds its conversation. */
export interface BodySpans {
  fields: ReadonlyMap<string, Span>
  elements: readonly Span[]
}

const quote = 0x22
const backslash = 0x5c
const openings: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closings: ReadonlySet<number> = new Set([0x5d, 0x7d])
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Finds where the fields of a JSON object stand, and the elements of its field `list`, in one pass
 * over its bytes and without making anything of them. `undefined` for what is no such object, and
 * for one that names a field twice: two readers could take it for two different requests.
 */
export function bodySpans(bytes: Buffer, list: string): BodySpans | undefined {
  const fields = new Map<string, Span>()
  let at = pastSpace(bytes, 0)
  if (bytes[at] !== 0x7b) return undefined
  at = pastSpace(bytes, at + 1)
  while (bytes[at] !== 0x7d) {
    if (bytes[at] !== quote) return undefined
    const nameEnd = pastValue(bytes, at)
    const name = nameEnd === undefined ? undefined : textAt(bytes, { start: at, end: nameEnd })
    if (nameEnd === undefined || name === undefined || fields.has(name)) return undefined
    at = pastSpace(bytes, nameEnd)
    if (bytes[at] !== 0x3a) return undefined
    const start = pastSpace(bytes, at + 1)
    const end = pastValue(bytes, start)
    if (end === undefined) return undefined
    fields.set(name, { start, end })
    at = pastSpace(bytes, end)
    if (bytes[at] === 0x2c) at = pastSpace(bytes, at + 1)
    else if (bytes[at] !== 0x7d) return undefined
  }
  if (pastSpace(bytes, at + 1) < bytes.length) return undefined
  const held = fields.get(list)
  const elements = held && elementsOf(bytes, held)
  return elements && { fields, elements }
}

function elementsOf(bytes: Buffer, { start, end }: Span): Span[] | undefined {
  if (bytes[start] !== 0x5b) return undefined
  const elements: Span[] = []
  let at = pastSpace(bytes, start + 1)
  while (at < end - 1) {
    const to = pastValue(bytes, at)
    if (to === undefined || to >= end) return undefined
    elements.push({ start: at, end: to })
    at = pastSpace(bytes, to)
    if (bytes[at] === 0x2c) at = pastSpace(bytes, at + 1)
    else if (at !== end - 1) return undefined
  }
  return elements
}

function pastSpace(bytes: Buffer, from: number): number {
  let at = from
  while (spaces.has(bytes[at] as number)) at += 1
  return at
}

/** The end of the value that begins here; `undefined` if it has none. */
function pastValue(bytes: Buffer, from: number): number | undefined {
  const first = bytes[from]
  if (first === undefined) return undefined
  if (first === quote) return pastText(bytes, from)
  if (!openings.has(first)) return pastWord(bytes, from)
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) {
      const end = pastText(bytes, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (openings.has(byte)) depth += 1
    else if (closings.has(byte)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

function pastText(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(quote, from + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1
    while (before > from && bytes[before] === backslash) before -= 1
    // An even number of backslashes escape one another.
    if ((at - before) % 2 === 1) return at + 1
  }
  return undefined
}

/** A number, `true`, `false` or `null`. */
function pastWord(bytes: Buffer, from: number): number | undefined {
  let at = from
  while (/[\w.+-]/.test(String.fromCharCode(bytes[at] ?? 0))) at += 1
  return at > from ? at : undefined
}

function textAt(bytes: Buffer, span: Span): string | undefined {
  const value = valueAt(bytes, span)
  return typeof value === 'string' ? value : undefined
}

/** The value that stands there; `undefined` if it is no JSON. */
export function valueAt(bytes: Buffer, { start, end }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    return undefined
  }
}
