import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geminiWire } from './wire.ts'
import { messagesIn } from '../wire.ts'
import type { GeminiContent } from './read-parts.ts'

/** Calls of one answer, how many of their responses follow, and a response that nobody asked for. */
const exchange = fc
  .record({
    tools: fc.array(fc.constantFrom('read', 'write'), { minLength: 1, maxLength: 3 }),
    hasIds: fc.boolean(),
    unasked: fc.constantFrom(false, false, false, true),
  })
  .map(({ tools, hasIds, unasked }): ((place: number) => GeminiContent[]) => (place) => {
    const id = (index: number) => (hasIds ? { id: `id-${place}-${index}` } : {})
    const calls = tools.map((name, index) => ({
      functionCall: { ...id(index), name, args: { path: `${place}.ts` } },
    }))
    const responses = tools.map((name, index) => ({
      functionResponse: { ...id(index), name, response: { output: `${place} ${index}` } },
    }))
    const other = { functionResponse: { name: 'look', response: { output: 'unasked' } } }
    return [
      { role: 'model', parts: calls },
      { role: 'user', parts: [...responses, ...(unasked ? [other] : [])] },
    ]
  })

test('calls without ids are the same ones, in however many parts a conversation is read', () => {
  fc.assert(
    fc.property(fc.array(exchange, { minLength: 1, maxLength: 6 }), fc.nat(), (made, cut) => {
      const first = { role: 'user', parts: [{ text: 'Read all.' }] }
      const contents = [first, ...made.flatMap((one, place) => one(place))]
      const at = 1 + 2 * (cut % made.length)
      const beginning = geminiWire.read(contents.slice(0, at))
      const rest = geminiWire.read(contents.slice(at), beginning)
      const whole = messagesIn(geminiWire.read(contents))
      expect([...messagesIn(beginning), ...messagesIn(rest)]).toEqual(whole)
    }),
  )
})
