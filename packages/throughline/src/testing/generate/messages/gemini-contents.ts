import fc from 'fast-check'
import type { GeminiContent } from '../../../wires/gemini/read-parts.ts'

type Part = Record<string, unknown>

const text = fc.string({ maxLength: 12 })
const name = fc.stringMatching(/^[a-z]{1,6}$/)
// JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const object = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), json, { maxKeys: 3 })
const sealed = fc.option(fc.base64String({ maxLength: 8 }), { nil: undefined })

/** A part without the fields that are undefined. */
function bare(part: Part): Part {
  return JSON.parse(JSON.stringify(part)) as Part
}

const medium = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('image/png', 'application/pdf', 'audio/mp3'),
      fc.base64String({ minLength: 4 }),
    )
    .map(([mimeType, data]): Part => ({ inlineData: { mimeType, data } })),
  fc
    .tuple(fc.constantFrom('image/png', 'video/mp4'), fc.option(text, { nil: undefined }))
    .map(([mimeType, displayName]) =>
      bare({ fileData: { mimeType, fileUri: 'https://x.example/f', displayName } }),
    ),
)

const said = fc.oneof(
  { weight: 4, arbitrary: text.map((said): Part => ({ text: said })) },
  { weight: 1, arbitrary: medium },
  { weight: 1, arbitrary: fc.record({ unheardOf: object }) as fc.Arbitrary<Part> },
)

const thought = fc
  .tuple(text, sealed)
  .map(([words, thoughtSignature]) => bare({ text: words, thought: true, thoughtSignature }))

const response = fc.oneof(
  text.map((output) => ({ output })),
  text.map((error) => ({ error })),
  object,
)

/** A turn: what the user asks, what the model says, and what its calls gave. */
const turn = fc
  .record({
    asked: fc.array(said, { minLength: 1, maxLength: 2 }),
    thoughts: fc.array(thought, { maxLength: 1 }),
    words: fc.array(text, { maxLength: 1 }),
    calls: fc.array(
      fc.record({
        name,
        args: fc.option(object, { nil: undefined }),
        thoughtSignature: sealed,
        isNamed: fc.boolean(),
        response,
        media: fc.array(medium, { maxLength: 1 }),
        role: fc.constantFrom('user', 'function'),
      }),
      { maxLength: 3 },
    ),
    more: fc.array(said, { maxLength: 1 }),
  })
  .map((turn) => turn)

/** A conversation of Gemini's API. */
export const geminiConversation: fc.Arbitrary<GeminiContent[]> = fc
  .array(turn, { minLength: 1, maxLength: 4 })
  .map((turns) => {
    let calls = 0
    return turns.flatMap(({ asked, thoughts, words, calls: made, more }): GeminiContent[] => {
      const named = made.map((call) => ({
        ...call,
        id: call.isNamed ? `c${(calls += 1)}` : undefined,
      }))
      const said: Part[] = [
        ...thoughts,
        ...words.map((text) => ({ text })),
        ...named.map(({ id, name, args, thoughtSignature }) =>
          bare({ functionCall: { id, name, args }, thoughtSignature }),
        ),
      ]
      const given = named.map(({ id, name, response, media }) =>
        bare({
          functionResponse: { id, name, response, ...(media.length > 0 && { parts: media }) },
        }),
      )
      return [
        { role: 'user', parts: asked },
        ...(said.length === 0 ? [] : [{ role: 'model', parts: said }]),
        ...(given.length === 0
          ? []
          : [{ role: named[0]?.role ?? 'user', parts: [...given, ...more] }]),
      ]
    })
  })
