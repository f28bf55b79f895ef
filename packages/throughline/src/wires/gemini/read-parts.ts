import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { asOutputPart } from '../media.ts'
import { restOf, notesUnder } from '../note.ts'
import { unknownPart, unknownSaid } from '../unknown-part.ts'
import type {
  AssistantPart,
  FilePart,
  ImagePart,
  TextPart,
  ToolOutput,
  ToolOutputPart,
  ToolResultPart,
  UserPart,
} from '../../log/message.ts'

/** A content of `generateContent`, as far as Throughline reads it: the SDK's `Content`. */
export interface GeminiContent {
  role?: string
  parts?: readonly object[]
}

/** What Gemini's API says beyond our own shape. */
export const notes = notesUnder('gemini')

/** The calls of a conversation, as they are made and answered. */
export interface Calls {
  /** The id of a call that has none of its own. */
  nameless: () => string
  made: (id: string, name: string) => void
  /** The call that a response without an id answers: the first open one of its tool. */
  answered: (name: string, id: string | undefined) => string
}

/** What a user's content says besides responses. */
export function userPart(part: Fields): UserPart {
  return textPart(part) ?? mediaPart(part) ?? unknownPart(part, notes)
}

/** What an answer says, part by part. */
export function modelPart(part: Fields, calls: Calls): AssistantPart {
  const text = textOf(part['text'])
  if (part['thought'] === true && text !== undefined) {
    const { thoughtSignature } = part
    const isSigned = typeof thoughtSignature === 'string'
    const said = ['text', 'thought', ...(isSigned ? ['thoughtSignature'] : [])]
    const noted = { form: 'thought', rest: restOf(part, said) }
    return { type: 'reasoning', text, ...notes.with(noted, sealed(thoughtSignature)) }
  }
  return textPart(part) ?? callPart(part, calls) ?? unknownSaid(part, 'gemini', notes)
}

function textPart(part: Fields): TextPart | undefined {
  const text = textOf(part['text'])
  if (text === undefined) return undefined
  return { type: 'text', text, ...notes.with({ rest: restOf(part, ['text']) }) }
}

function callPart(part: Fields, calls: Calls): AssistantPart | undefined {
  const call = fieldsOf(part['functionCall'])
  const toolName = nameOf(call?.['name'])
  if (!call || toolName === undefined) return undefined
  const named = nameOf(call['id'])
  const toolCallId = named ?? calls.nameless()
  calls.made(toolCallId, toolName)
  const { args } = call
  const { thoughtSignature } = part
  const isSigned = typeof thoughtSignature === 'string'
  const noted = {
    rest: restOf(part, ['functionCall', ...(isSigned ? ['thoughtSignature'] : [])]),
    call: restOf(call, ['name', 'args', ...(named === undefined ? [] : ['id'])]),
    ...(named === undefined && { nameless: true }),
    ...(args === undefined && { form: 'absent' }),
  }
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: args === undefined ? {} : args,
    ...notes.with(noted, sealed(thoughtSignature)),
  }
}

/** Gemini wants its signature back; it stands where the AI SDK keeps it, too. */
function sealed(thoughtSignature: unknown) {
  return typeof thoughtSignature === 'string' ? { google: { thoughtSignature } } : {}
}

/** The response to a call; `undefined` if the part is something else. */
export function responsePart(part: Fields, calls: Calls): ToolResultPart | undefined {
  const given = fieldsOf(part['functionResponse'])
  const toolName = nameOf(given?.['name'])
  if (!given || toolName === undefined) return undefined
  const named = nameOf(given['id'])
  const inner = given['parts']
  const takesParts = Array.isArray(inner) && inner.every((one) => fieldsOf(one))
  const said = ['name', 'response', ...(named === undefined ? [] : ['id'])]
  const noted = {
    rest: restOf(part, ['functionResponse']),
    given: restOf(given, [...said, ...(takesParts ? ['parts'] : [])]),
    ...(named === undefined && { nameless: true }),
    ...(given['response'] === undefined && { form: 'absent' }),
  }
  const answer = outputOf(given['response'] ?? {})
  return {
    type: 'tool-result',
    toolCallId: calls.answered(toolName, named),
    toolName,
    output: takesParts ? withMedia(answer, given['response'], objectsOf(inner)) : answer,
    ...notes.with(noted),
  }
}

function outputOf(response: unknown): ToolOutput {
  const fields = fieldsOf(response)
  const [only, ...others] = Object.keys(fields ?? {})
  const text = others.length === 0 && only !== undefined ? textOf(fields?.[only]) : undefined
  if (text !== undefined && only === 'output') return { type: 'text', value: text }
  if (text !== undefined && only === 'error') return { type: 'error-text', value: text }
  return { type: 'json', value: response }
}

/** What the tool gave besides its response stands behind it. */
function withMedia(answer: ToolOutput, response: unknown, inner: readonly Fields[]): ToolOutput {
  const value = 'value' in answer ? answer.value : ''
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const failed = answer.type === 'error-text' ? { gemini_failed: { failed: true } } : {}
  const media = inner.map((part): ToolOutputPart => {
    const medium = mediaPart(part)
    return medium ? asOutputPart(medium) : { type: 'custom', ...notes.with({ part }) }
  })
  return {
    type: 'content',
    value: [{ type: 'text', text, ...notes.with({ response: response ?? null }) }, ...media],
    ...notes.with({ form: 'parts' }, failed),
  }
}

function mediaPart(part: Fields): ImagePart | FilePart | undefined {
  const source = ['inlineData', 'fileData'].find((name) => fieldsOf(part[name]))
  const fields = source === undefined ? undefined : fieldsOf(part[source])
  if (source === undefined || !fields) return undefined
  const key = source === 'inlineData' ? 'data' : 'fileUri'
  const data = nameOf(fields[key])
  const mediaType = nameOf(fields['mimeType'])
  if (data === undefined || mediaType === undefined) return undefined
  const noted = notes.with({
    source,
    inside: restOf(fields, [key, 'mimeType']),
    rest: restOf(part, [source]),
  })
  return mediaType.startsWith('image/')
    ? { type: 'image', image: data, mediaType, ...noted }
    : { type: 'file', data, mediaType, ...noted }
}
