import { parseRef } from '../../log/ref.ts'
import { fieldsOf } from '../../json/fields.ts'

/** Whether a value of unknown origin has a certain shape. */
type Shape = (value: unknown) => boolean

const anything: Shape = () => true
const text: Shape = (value) => typeof value === 'string'
const flag: Shape = (value) => typeof value === 'boolean'
const amount: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
const seq: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0

function oneOf(...values: readonly string[]): Shape {
  return (value) => typeof value === 'string' && values.includes(value)
}

function listOf(item: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(item)
}

function either(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value))
}

/**
 * An object with these fields; those whose name ends in `?` are optional, and others are allowed.
 */
function object(fields: Readonly<Record<string, Shape>> = {}): Shape {
  const checks = Object.entries(fields).map(([name, shape]) => ({
    name: name.replace(/\?$/, ''),
    shape: name.endsWith('?') ? either(missing, shape) : shape,
  }))
  return (value) => {
    const own = fieldsOf(value)
    return own !== undefined && checks.every(({ name, shape }) => shape(own[name]))
  }
}

/** An object whose field of this name says which of the shapes it has. */
function taggedBy(
  name: string,
  shapes: Readonly<Record<string, Shape>>,
  other: Shape = () => false,
): Shape {
  const known = new Map(Object.entries(shapes))
  return (value) => {
    const tag = fieldsOf(value)?.[name]
    return typeof tag === 'string' && (known.get(tag) ?? other)(value)
  }
}

function missing(value: unknown): boolean {
  return value === undefined
}

// A file may come from anybody, so everything that the views read of an entry must be as expected.

const ref: Shape = (value) => typeof value === 'string' && parseRef(value) !== undefined

const output = taggedBy('type', {
  text: object({ value: text }),
  json: object(),
  'error-text': object({ value: text }),
  'error-json': object(),
  'execution-denied': object({ 'reason?': text }),
  content: object({ value: listOf(object({ type: text, 'text?': text })) }),
})

const part = taggedBy(
  'type',
  {
    text: object({ text }),
    reasoning: object({ text }),
    image: object({ 'mediaType?': text }),
    file: object({ mediaType: text, 'filename?': text }),
    'tool-call': object({ toolCallId: text, toolName: text }),
    'tool-result': object({ toolCallId: text, toolName: text, output }),
    'tool-approval-request': object({ approvalId: text, toolCallId: text }),
    'tool-approval-response': object({ approvalId: text, approved: flag }),
  },
  anything,
)

const parts = listOf(part)

const message = taggedBy('role', {
  system: object({ content: text }),
  user: object({ content: either(text, parts) }),
  assistant: object({ content: either(text, parts) }),
  tool: object({ content: parts }),
})

const usage = object({
  inputTokens: amount,
  outputTokens: amount,
  'cacheReadTokens?': amount,
  'cacheWriteTokens?': amount,
})

const replacements = listOf(
  either(
    object({ how: oneOf('pruned', 'clipped', 'described'), ref, text }),
    object({ how: oneOf('clipped'), ref, input: (value) => value !== undefined }),
  ),
)

const tailItem = taggedBy('type', {
  entry: object({ seq, 'replacements?': replacements }),
  omission: object({ from: seq, to: seq, text }),
})

const continuation = object({
  kind: oneOf('unanswered', 'media', 'mid-task'),
  message,
  metadata: object(),
  'of?': seq,
  'replacements?': replacements,
})

const observation = taggedBy('type', {
  usage: object({ 'model?': text, usage, estimate: amount }),
  limit: object({ 'model?': text, tokens: amount }),
  calibration: object({ 'model?': text, ratio: amount }),
  failure: object({ summarizer: text, problems: listOf(text) }),
  redaction: object({ seqs: listOf(seq) }),
  reasoning: object({ 'model?': text, provider: oneOf('refuses', 'demands') }),
  note: object({ name: text }),
})

/** Whether this is an entry, as far as anything reads it. */
export const isEntry = taggedBy('kind', {
  message: object({
    at: amount,
    message,
    origin: oneOf('human', 'harness', 'model', 'tool', 'synthetic'),
    'model?': text,
    'usage?': usage,
    'finish?': text,
    'metadata?': object(),
  }),
  prune: object({ at: amount, base: seq, replacements, metadata: object() }),
  checkpoint: object({
    at: amount,
    base: seq,
    summary: text,
    summarizer: text,
    tail: listOf(tailItem),
    continuation: either((value) => value === null, continuation),
    metadata: object(),
  }),
  pin: object({ at: amount, text, 'ref?': ref }),
  unpin: object({ at: amount, pin: seq }),
  rewind: object({ at: amount, to: seq, 'resume?': seq }),
  observation: object({ at: amount, observation }),
})
