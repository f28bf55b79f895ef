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
const comma = 0x2c

// Each byte of each request passes through these: comparisons are several times as fast as a set.
const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** A body that was read before, for one that may begin like it. */
export interface ReadBefore {
  body: Buffer
  spans: BodySpans
  /** With how many bytes both begin alike, if that is known. */
  common?: number
}

/**
 * Finds where the fields of a JSON object stand, and the elements of its field `held`, in one pass
 * over its bytes and without making anything of them. `undefined` for what is no such object, and
 * for one that names a field twice: two readers could take it for two different requests.
 * `undefined`, too, for what is nested too deep, holds too many elements or values, or is too long to be
 * parsed while others wait: it is forwarded as it is.
 *
 * What begins with the same bytes as a body that was read before is read from there on only.
 */
export function bodySpans(
  bytes: Buffer,
  held: string,
  before?: ReadBefore,
): (BodySpans & { same: number }) | undefined {
  const { fields, elements, same } = spansIn(bytes, held, before) ?? {}
  return fields && elements && { fields, elements, same: same ?? 0 }
}

/** The same where no list is looked for: its fields, unless reading them would take long. */
export function fieldSpans(bytes: Buffer): BodySpans['fields'] | undefined {
  return spansIn(bytes)?.fields
}

interface SpansFound {
  fields: Map<string, Span>
  elements: Span[] | undefined
  /** How many elements are those of the body before. */
  same: number
}

function spansIn(bytes: Buffer, held?: string, before?: ReadBefore): SpansFound | undefined {
  if (bytes.length > longestBody) return undefined
  const known = before && held !== undefined ? beginning(bytes, held, before) : undefined
  const fields = new Map<string, Span>(known?.fields)
  let elements: Span[] | undefined
  let at = 0
  if (known && held !== undefined) {
    const list = elementsFrom(bytes, known.at, known.elements)
    if (!list) return undefined
    fields.set(held, { start: known.start, end: list.end })
    elements = list.elements
    at = pastField(bytes, list.end)
  } else {
    at = pastSpace(bytes, 0)
    if (bytes[at] !== 0x7b) return undefined
    at = pastSpace(bytes, at + 1)
  }
  while (bytes[at] !== 0x7d) {
    if (bytes[at] !== quote) return undefined
    const nameEnd = pastValue(bytes, at)
    const name = nameEnd === undefined ? undefined : textAt(bytes, { start: at, end: nameEnd })
    if (nameEnd === undefined || name === undefined || fields.has(name)) return undefined
    at = pastSpace(bytes, nameEnd)
    if (bytes[at] !== 0x3a) return undefined
    const start = pastSpace(bytes, at + 1)
    const list = name === held ? elementsAt(bytes, start) : undefined
    const end = list ? list.end : pastValue(bytes, start)
    if (end === undefined) return undefined
    fields.set(name, { start, end })
    elements = list?.elements ?? elements
    at = pastField(bytes, end)
  }
  if (pastSpace(bytes, at + 1) < bytes.length) return undefined
  return { fields, elements, same: known?.elements.length ?? 0 }
}

/** Where the next field begins behind one, or the object ends; else a place where neither can be. */
function pastField(bytes: Buffer, end: number): number {
  const at = pastSpace(bytes, end)
  if (bytes[at] === 0x2c) return pastSpace(bytes, at + 1)
  return bytes[at] === 0x7d ? at : bytes.length
}

interface Beginning {
  /** The fields before the list, and where that begins. */
  fields: [string, Span][]
  start: number
  /** The elements that are the same in both. */
  elements: Span[]
  /** Where the next one begins. */
  at: number
}

/**
 * What is known of a body that begins with the bytes of another one. Every byte before `at` is the
 * same in both, and an element begins there in the other: so whoever reads this one from its first
 * byte comes to `at` in the same state.
 */
function beginning(
  bytes: Buffer,
  held: string,
  { body, spans, common = commonBytes(bytes, body) }: ReadBefore,
): Beginning | undefined {
  const list = spans.fields.get(held)
  if (!list) return undefined
  // The last one that begins within: it may go on in another way.
  let count = spans.elements.length - 1
  while (count >= 0 && (spans.elements[count] as Span).start > common) count -= 1
  const next = spans.elements[count]
  if (!next) return undefined
  return {
    fields: [...spans.fields].filter(([, { start }]) => start < list.start),
    start: list.start,
    elements: spans.elements.slice(0, count),
    at: next.start,
  }
}

const block = 4_096

/** Whether two bodies begin alike for so long that it is worth finding out for how long. */
export function beginAlike(one: Buffer, other: Buffer): boolean {
  return one.compare(other, 0, block, 0, block) === 0
}

/** With how many bytes two bodies begin alike. */
export function commonBytes(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  let isPast = false
  for (let size = block; size >= 1 && at < most;) {
    const to = Math.min(at + size, most)
    const isSame = one.compare(other, at, to, at, to) === 0
    if (isSame) at = to
    else isPast = true
    size = isPast ? Math.floor(size / 2) : size * 2
  }
  return at
}

/** The elements of the list that begins here, and its end; `undefined` if there is no list. */
function elementsAt(bytes: Buffer, start: number): { elements: Span[]; end: number } | undefined {
  return bytes[start] === 0x5b ? elementsFrom(bytes, pastSpace(bytes, start + 1), []) : undefined
}

// A window of a million tokens holds fewer messages.
const mostElements = 20_000
// No provider takes a longer conversation, with all of its pictures.
const longestBody = 32 * 1_048_576
// One is parsed at once: 16 MiB of text or of a picture take less than a tenth of a second.
const longestElement = 16 * 1_048_576

/** The elements from here on, behind those that are known; `undefined` of too many. */
function elementsFrom(
  bytes: Buffer,
  from: number,
  known: readonly Span[],
): { elements: Span[]; end: number } | undefined {
  const elements = [...known]
  let at = from
  while (bytes[at] !== 0x5d) {
    const to = pastValue(bytes, at)
    if (to === undefined) return undefined
    elements.push({ start: at, end: to })
    if (elements.length > mostElements || to - at > longestElement) return undefined
    at = pastSpace(bytes, to)
    if (bytes[at] === 0x5d) break
    if (bytes[at] !== 0x2c) return undefined
    at = pastSpace(bytes, at + 1)
    // A comma with nothing behind it.
    if (bytes[at] === 0x5d) return undefined
  }
  return { elements, end: at + 1 }
}

function pastSpace(bytes: Buffer, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at += 1
  return at
}

// No API nests so deep: what does would only keep whoever reads it busy.
const deepest = 200

// Nor holds so many values in one: each takes a hundred times the room of its bytes.
const mostValues = 200_000

/** The end of the value that begins here; `undefined` if it has none, is nested too deep or holds too many. */
function pastValue(bytes: Buffer, from: number): number | undefined {
  const first = bytes[from]
  if (first === undefined) return undefined
  if (first === quote) return pastText(bytes, from)
  if (!isOpening(first)) return pastWord(bytes, from)
  let depth = 0
  let values = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) {
      const end = pastText(bytes, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (byte === comma || isOpening(byte)) {
      values += 1
      if (values > mostValues) return undefined
      if (byte === comma) continue
      depth += 1
      if (depth > deepest) return undefined
    } else if (isClosing(byte)) {
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

/** Reads the fields of a body by their names, each once. */
export function fieldReader(bytes: Buffer, fields: BodySpans['fields']): (name: string) => unknown {
  const values = new Map<string, unknown>()
  return (name) => {
    const span = fields.get(name)
    if (span && !values.has(name)) values.set(name, valueAt(bytes, span))
    return values.get(name)
  }
}
