import { fieldsOf, listOf, textOf, objectsOf, type Fields } from '../../json/fields.ts'
import { lazyConversation } from '../conversation/lazy-conversation.ts'
import { rememberedGemini } from '../gemini/open-gemini.ts'
import { finishOf, usageOf } from '../../wires/gemini/wire.ts'
import type { Conversation, Answer } from '../conversation/conversation.ts'
import type { GeminiContent } from '../../wires/gemini/read-parts.ts'
import type { Session } from '../../session/session.ts'
import type { SessionOptions } from '../../session/options.ts'

/** What `generateContent` is asked with, as far as Throughline reads it. */
interface Asked {
  contents: unknown
  config?: object
}

/** A client of the `@google/genai` package, as far as it matters here: `GoogleGenAI`. */
export interface GoogleClient {
  models: {
    generateContent: (asked: never) => Promise<GoogleResponse>
    generateContentStream: (asked: never) => Promise<AsyncGenerator<GoogleResponse>>
  }
  chats: object
}

/** The client's own models and chats, whose requests fit. */
export interface GoogleCompaction<Client extends GoogleClient> {
  models: Client['models']
  chats: Client['chats']
  /** Throughline's session, with the whole log; it is opened when first needed. */
  session: () => Promise<Session>
}

/**
 * Compaction for loops over `generateContent` and for chats of the `@google/genai` package: the
 * same `models` and `chats`, whose contents always fit. A chat keeps its own full history, and so
 * may a loop. Use one for each conversation, and the client's own for everything else. The SDK's
 * automatic function calling makes its requests by itself: each of its rounds fits only at its
 * beginning.
 * @throws what `openSession` throws, when the conversation is first needed.
 * @example
 * const { chats } = googleCompaction(ai, { store, id: 'a', window: { context: 1_000_000 } })
 * const chat = chats.create({ model, config })
 * const { text } = await chat.sendMessage({ message: 'Why does the test fail?' })
 */
export function googleCompaction<Client extends GoogleClient>(
  client: Client,
  options: SessionOptions,
): GoogleCompaction<Client> {
  const { tell, ask, session } = lazyConversation(
    { wire: rememberedGemini, answer: answerOf },
    options,
  )

  /** The answer to the contents that fit. */
  function answered<Given>(
    { contents, ...asked }: Asked,
    request: (asked: never) => Promise<Given>,
  ) {
    const { systemInstruction, tools, abortSignal } = fieldsOf(asked.config) ?? {}
    tell({ system: systemText(systemInstruction), tools: listOf(tools) })
    const signals = abortSignal instanceof AbortSignal ? { signal: abortSignal } : {}
    const send = (sent: GeminiContent[]) => request({ ...asked, contents: sent } as never)
    return ask(contentsOf(contents), send, signals)
  }

  const own = client.models
  const models = Object.create(own, {
    generateContent: {
      value: async (asked: Asked) => {
        const { given, conversation } = await answered(asked, (next) => own.generateContent(next))
        // With automatic function calling, the next history says what was called.
        if (calledItself(given)) return given
        await conversation.note([given])
        return given
      },
    },
    generateContentStream: {
      value: async (asked: Asked) => {
        const { given, conversation } = await answered(asked, (next) =>
          own.generateContentStream(next),
        )
        return noted(given, conversation)
      },
    },
  }) as Client['models']
  return {
    models,
    // A chat asks with the models of the chats that it was made by.
    chats: Object.create(client.chats, { modelsModule: { value: models } }) as Client['chats'],
    session,
  }
}

/** Passes the pieces of an answer on, and saves the answer when it is whole. */
async function* noted(
  pieces: AsyncGenerator<GoogleResponse>,
  { note }: Conversation<GeminiContent, readonly GoogleResponse[]>,
): AsyncGenerator<GoogleResponse> {
  const all: GoogleResponse[] = []
  for await (const piece of pieces) {
    all.push(piece)
    yield piece
  }
  await note(all)
}

function calledItself(response: GoogleResponse): boolean {
  return listOf(fieldsOf(response)?.['automaticFunctionCallingHistory']).length > 0
}

function systemText(given: unknown): string | undefined {
  if (given === undefined) return undefined
  const parts = contentsOf(given).flatMap(({ parts = [] }) => parts)
  return parts.map((part) => textOf(fieldsOf(part)?.['text']) ?? '').join('\n\n')
}

/** A response of `generateContent`, as far as Throughline reads it: `GenerateContentResponse`. */
interface GoogleResponse {
  candidates?: readonly { content?: GeminiContent; finishReason?: string }[]
  usageMetadata?: object
  modelVersion?: string
}

/** The answer in a response, or in the pieces of a stream. */
function answerOf(pieces: readonly GoogleResponse[]): Answer<GeminiContent> {
  const contents = pieces.flatMap(({ candidates }): GeminiContent[] => {
    const content = candidates?.[0]?.content
    return content && objectsOf(content.parts).length > 0 ? [{ role: 'model', ...content }] : []
  })
  const last = pieces.findLast(({ candidates }) => candidates?.[0]?.finishReason !== undefined)
  const usage = usageOf(pieces.findLast((piece) => piece.usageMetadata)?.usageMetadata)
  const model = textOf(pieces.at(-1)?.modelVersion)
  const calls = contents.some(({ parts }) =>
    objectsOf(parts).some((part) => fieldsOf(part['functionCall'])),
  )
  return {
    natives: joinedPieces(contents),
    finish: calls ? 'tool-calls' : finishOf(textOf(last?.candidates?.[0]?.finishReason)),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
  }
}

/** What people pass as contents: a text, parts, or contents. The SDK reads it the same way. */
function contentsOf(given: unknown): GeminiContent[] {
  if (!Array.isArray(given)) return [contentOf(given)]
  if (given.some(isContent)) return joinedPieces(given.map(contentOf))
  return given.length === 0 ? [] : [{ role: 'user', parts: given.map(partOf) }]
}

function isContent(given: unknown): given is GeminiContent {
  return Array.isArray(fieldsOf(given)?.['parts'])
}

function contentOf(given: unknown): GeminiContent {
  return isContent(given) ? given : { role: 'user', parts: [partOf(given)] }
}

function partOf(given: unknown): object {
  return fieldsOf(given) ?? { text: String(given) }
}

/** One content for each answer: a stream leaves all of its pieces in a chat's history. */
function joinedPieces(contents: readonly GeminiContent[]): GeminiContent[] {
  const joined: GeminiContent[] = []
  for (let start = 0; start < contents.length;) {
    let end = start + 1
    while (contents[start]?.role === 'model' && contents[end]?.role === 'model') end += 1
    const pieces = contents.slice(start, end)
    const [first] = pieces
    if (first) joined.push(pieces.length === 1 ? first : { ...first, parts: partsOf(pieces) })
    start = end
  }
  return joined
}

function partsOf(pieces: readonly GeminiContent[]): Fields[] {
  const parts: Fields[] = []
  for (const part of pieces.flatMap((piece) => objectsOf(piece.parts))) {
    const last = parts.at(-1)
    if (part['text'] === '' && Object.keys(part).length === 1) continue
    if (last && isPlain(part) && isPlain(last)) {
      parts[parts.length - 1] = { text: `${textOf(last['text'])}${textOf(part['text'])}` }
    } else parts.push(part)
  }
  return parts
}

/** Thoughts and signatures are bound to their piece. */
function isPlain(part: Fields): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).length === 1
}
