import { Transform, type TransformCallback } from 'node:stream'
import { fieldsOf, type Fields } from '../body/json.ts'

/** The fields by which clients decide whether to compact, in the words of every API. */
const counts: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'total_tokens',
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'promptTokenCount',
  'totalTokenCount',
])

/**
 * An answer whose usage is at most so many tokens: what a client sees that would compact by itself
 * although the gateway does. All else stays as it is, byte for byte.
 */
export function cappedUsage(most: number, isStream: boolean): Transform {
  let open = ''
  const decoder = new TextDecoder()
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      open += decoder.decode(chunk, { stream: true })
      if (!isStream) return done()
      const end = open.lastIndexOf('\n\n')
      if (end < 0) return done()
      const whole = open.slice(0, end + 2)
      open = open.slice(end + 2)
      done(null, Buffer.from(cappedEvents(whole, most)))
    },
    flush(done) {
      done(null, Buffer.from(isStream ? cappedEvents(open, most) : cappedText(open, most)))
    },
  })
}

function cappedEvents(text: string, most: number): string {
  if (!/usage/i.test(text)) return text
  return text.replace(/^data: ?(\{.*\})(\r?)$/gm, (line, json: string, end: string) =>
    /usage/i.test(json) ? `data: ${cappedText(json, most)}${end}` : line,
  )
}

function cappedText(json: string, most: number): string {
  try {
    const value: unknown = JSON.parse(json)
    return isAbove(value, most) ? JSON.stringify(capped(value, most)) : json
  } catch {
    return json
  }
}

/** Where usage is told: at the top of an answer or an event, or in the message or response of one. */
const places: readonly string[] = ['usage', 'usageMetadata']
const holders: readonly string[] = ['message', 'response']

function isAbove(value: unknown, most: number): boolean {
  const fields = fieldsOf(value)
  if (!fields) return false
  const told = places.some((place) =>
    Object.entries(fieldsOf(fields[place]) ?? {}).some(
      ([name, count]) => counts.has(name) && typeof count === 'number' && count > most,
    ),
  )
  return told || holders.some((holder) => isAbove(fields[holder], most))
}

function capped(value: unknown, most: number): unknown {
  const fields = fieldsOf(value)
  if (!fields) return value
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]): [string, unknown] => {
      const usage = places.includes(name) ? fieldsOf(inner) : undefined
      if (usage) return [name, cappedCounts(usage, most)]
      return [name, holders.includes(name) ? capped(inner, most) : inner]
    }),
  )
}

function cappedCounts(usage: Fields, most: number): Fields {
  return Object.fromEntries(
    Object.entries(usage).map(([name, count]) => [
      name,
      counts.has(name) && typeof count === 'number' ? Math.min(count, most) : count,
    ]),
  )
}
