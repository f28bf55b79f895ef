/** Changes one text; returns the same text if nothing has to change. */
export type ChangeText = (text: string) => string

/** The same of texts and of bytes. */
interface Change {
  text: ChangeText
  bytes: (bytes: Uint8Array) => Uint8Array
}

// Fields that describe an entry and hold no content.
const structure: ReadonlySet<string> = new Set([
  'kind',
  'type',
  'role',
  'origin',
  'finish',
  'how',
  'ref',
  'summarizer',
])
// Inside these, everything is content, including field names.
const content: ReadonlySet<string> = new Set(['input', 'metadata', 'providerOptions', 'data'])

/**
 * An entry with every text of its content changed, wherever it is: in messages, tool inputs and
 * outputs, summaries, replacements of pruned parts, pins, metadata and notes. Its kind, origin and
 * position stay. Returns the same object if no text changed.
 */
export function changeStrings<Value>(
  value: Value,
  text: ChangeText,
  bytes: Change['bytes'] = (all) => changeBytes(all, text),
): Value {
  return changed(value, { text, bytes }, false) as Value
}

function changed(value: unknown, change: Change, free: boolean): unknown {
  if (typeof value === 'string') return change.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return change.bytes(value)
  if (value instanceof URL) return changeUrl(value, change.text)
  if (Array.isArray(value)) return changeList(value, change, free)
  return changeFields(value, change, free)
}

function changeList(list: readonly unknown[], change: Change, free: boolean): unknown {
  const items = list.map((item) => changed(item, change, free))
  return items.some((item, index) => item !== list[index]) ? items : list
}

function changeFields(value: object, change: Change, free: boolean): object {
  let differs = false
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (!free && structure.has(name)) return [name, field]
    const within = free || content.has(name) || (name === 'value' && !isPartList(value))
    const entry: [string, unknown] = [
      free ? change.text(name) : name,
      changed(field, change, within),
    ]
    if (entry[0] !== name || entry[1] !== field) differs = true
    return entry
  })
  return differs ? Object.fromEntries(fields) : value
}

/** A tool's output in parts: its `value` is structured again. */
function isPartList(output: object): boolean {
  return 'type' in output && output.type === 'content'
}

// Bytes that contained a secret needn't stay as they were: they may become text.
function changeBytes(bytes: Uint8Array, change: ChangeText): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const clean = change(text)
  return clean === text ? bytes : new TextEncoder().encode(clean)
}

function changeUrl(url: URL, change: ChangeText): URL | string {
  const clean = change(url.href)
  if (clean === url.href) return url
  return URL.canParse(clean) ? new URL(clean) : clean
}
