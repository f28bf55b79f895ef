import { createHash } from 'node:crypto'
import { Agent } from 'undici'

/** An agent that works for long and sends its whole history with each request. */
export interface LoadAgent {
  /** The body of its next request; each is one step longer than the one before. */
  next: () => Buffer
  /** The size of its history, in bytes. */
  readonly bytes: number
}

export interface LoadShape {
  /** Bytes of history with which it begins, and at which it ends and another one begins. */
  from: number
  to: number
  /** Bytes of one step: a call with its result. */
  step: number
}

const words =
  'parse header token value render context session window export const function return import type'.split(
    ' ',
  )

const begin = Buffer.from(
  '{"model":"bench","stream":true,"stream_options":{"include_usage":true},"messages":[',
)
const tools = Array.from({ length: 12 }, (_, index) => ({
  type: 'function',
  function: {
    name: index === 0 ? 'read' : `tool_${index}`,
    description: 'Does one of the things that an agent does with files and commands. '.repeat(5),
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
}))
const end = Buffer.from(`],"tools":${JSON.stringify(tools)}}`)
const comma = Buffer.from(',')

let agents = 0

export function loadAgent(shape: LoadShape): LoadAgent {
  let whose = ''
  let steps = 0
  let bytes = 0
  let pieces: Buffer[] = []

  function add(message: object): void {
    const piece = Buffer.from(JSON.stringify(message))
    pieces.push(...(pieces.length > 0 ? [comma] : []), piece)
    bytes += piece.length + 1
  }

  function step(): void {
    steps += 1
    const id = `call_${createHash('sha256').update(`${whose} ${steps}`).digest('hex').slice(0, 24)}`
    const path = `src/module${steps % 40}/file${steps}.ts`
    const call = { name: 'read', arguments: JSON.stringify({ path }) }
    if (steps % 40 === 0) add({ role: 'user', content: `Go on with part ${steps} of ${whose}.` })
    add({
      role: 'assistant',
      content: `I look at ${path} next.`,
      tool_calls: [{ id, type: 'function', function: call }],
    })
    add({ role: 'tool', tool_call_id: id, content: sourceOf(whose, steps, shape.step) })
  }

  function restart(): void {
    agents += 1
    whose = `agent ${process.pid} ${agents}`
    steps = 0
    bytes = 0
    pieces = []
    add({ role: 'system', content: `You are ${whose}. ${'Work with care. '.repeat(200)}` })
    add({ role: 'user', content: `Rework every module of ${whose}. Never edit main.ts.` })
    while (bytes < shape.from) step()
  }

  restart()
  return {
    next() {
      if (bytes > shape.to) restart()
      else step()
      return Buffer.concat([begin, ...pieces, end])
    },
    get bytes() {
      return bytes
    },
  }
}

/** Something like source code, different for each agent and step. */
function sourceOf(whose: string, seed: number, bytes: number): string {
  const lines = [`// ${whose}, "part ${seed}"`]
  for (let line = 0, length = 0; length < bytes; line++) {
    const at = seed * 31 + line * 7
    const [a, b, c] = [words[at % 13], words[(at + 3) % 14], words[(at + 5) % 11]]
    const text = `  ${a} ${b}${(seed + line) % 97} = ${c}("${b}_${line % 50}", ${at % 1000}) // ${a}`
    lines.push(text)
    length += text.length + 3
  }
  return lines.join('\n')
}

const client = new Agent({ connections: 600, pipelining: 1 })

/** What came back for one request. */
export interface Heard {
  /** Milliseconds until the head, and until the end. */
  head: number
  whole: number
  did: string
  bytes: number
  /** How late each event came after it was written, where the provider says when that was. */
  lates: number[]
}

/**
 * Sends a body, and reads the whole answer.
 * @throws Error if it is not a whole answer.
 */
export async function ask(
  url: string,
  body: Buffer,
  { events = 20, pace = 0 }: { events?: number; pace?: number } = {},
): Promise<Heard> {
  const begun = performance.now()
  const answer = await client.request({
    origin: url,
    path: '/v1/chat/completions',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer bench',
      'x-bench-events': String(events),
      'x-bench-pace': String(pace),
    },
    body,
  })
  const head = performance.now() - begun
  let bytes = 0
  let open = ''
  let isDone = false
  let count = 0
  const lates: number[] = []
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    const came = performance.timeOrigin + performance.now()
    open += chunk.toString('latin1')
    const until = open.lastIndexOf('\n\n') + 2
    if (until === 1) continue
    const whole = open.slice(0, until)
    isDone ||= whole.endsWith('data: [DONE]\n\n')
    for (const [, at] of whole.matchAll(/"word ([\d.]+) "/g)) {
      count += 1
      if (pace > 0) lates.push(came - Number(at))
    }
    open = open.slice(until)
  }
  if (answer.statusCode !== 200 || !isDone || count !== events) {
    throw new Error(`An answer of ${answer.statusCode} with ${count} of ${events} events.`)
  }
  const did = String(answer.headers['x-throughline-did'] ?? '')
  return { head, whole: performance.now() - begun, did, bytes, lates }
}
