import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'
import { eventReader } from '../answers/events.ts'
import { isEventStream } from '../answers/begun-answer.ts'
import { headerText } from '../server/headers.ts'
import { textOf } from '../body/json.ts'
import type { UpstreamAnswer } from '../upstream/upstream.ts'
import type { Usage } from 'throughline'
import type { Wire } from '../wires/wire.ts'

/** What was heard of what an answer took. */
export interface Heard {
  /** As the provider counted it. */
  usage: Usage | undefined
  /** How many bytes came, and how many of them are the model’s words, where those are told apart. */
  bytes: number
  words: number | undefined
  model: string | undefined
  /** Whether all of it came. */
  isWhole: boolean
  /** Whether the model works on, whoever listens. */
  isInBackground: boolean
}

/** The same answer, byte for byte; when it has ended, in whatever way, what it took is told, once. */
export function meteredAnswer(
  { headers, body }: UpstreamAnswer,
  wires: readonly Wire[],
  onEnd: (heard: Heard) => void,
): Readable {
  const isStream = isEventStream(headers)
  const isPlain = /^(?:identity)?$/.test(headerText(headers, 'content-encoding') ?? '')
  let usage: Usage | undefined
  let model: string | undefined
  let words = 0
  let bytes = 0
  let isInBackground = false
  const reader = eventReader(isStream, (event) => {
    words += wordsIn(event)
    isInBackground ||= inBackground.test(event)
    return model === undefined || /usage/i.test(event)
  })
  const read = (events: ReturnType<typeof reader.read>): void => {
    for (const event of events) {
      for (const wire of wires) usage = wire.usage(event, usage)
      model ??= textOf(event['model']) ?? textOf(event['modelVersion'])
      isInBackground ||= event['background'] === true
    }
  }
  const meter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      bytes += chunk.length
      if (isPlain) read(reader.read(chunk))
      done(null, chunk)
    },
  })
  pipeline(body, meter, (error) => {
    read(reader.end())
    const isWhole = !error
    const told = isStream && isPlain ? words : undefined
    onEnd({ usage, bytes, words: told, model, isWhole, isInBackground })
  })
  return meter
}

const inBackground = /"background"\s*:\s*true/

// What repeats words that came before.
const again = /"type"\s*:\s*"[\w.]+\.(?:done|added|completed|incomplete)"/

// What models say, in the fields of every API.
const said =
  /"(?:delta|content|text|thinking|partial_json|arguments|reasoning|reasoning_content|refusal)"\s*:\s*"((?:[^"\\]|\\.)*)"/g

/** How many bytes the words of an event have. */
function wordsIn(event: string): number {
  if (again.test(event)) return 0
  let bytes = 0
  for (const [, word = ''] of event.matchAll(said)) bytes += Buffer.byteLength(word)
  return bytes
}
