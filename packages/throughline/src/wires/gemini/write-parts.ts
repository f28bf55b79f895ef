import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { asMedium, mediumOf, textIn } from '../media.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed } from '../text-pieces.ts'
import { knownAgain } from '../unknown-part.ts'
import { notes } from './read-parts.ts'
import { outputText } from '../../log/message.ts'
import { isSame } from '../../match/same.ts'
import type {
  FilePart,
  ImagePart,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolOutput,
  ToolOutputPart,
  ToolResultPart,
} from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** A part as Gemini's API has it; none if nothing is written for it. */
export function writtenParts(part: Part, place: string, writing: Writing): Fields[] {
  const noted = 'providerOptions' in part ? notes.of(part) : {}
  switch (part.type) {
    case 'text':
      return [{ text: part.text, ...fieldsOf(noted['rest']) }]
    case 'image':
    case 'file':
      return [knownAgain(part, notes) ?? writtenMedium(part, place, writing)]
    case 'tool-call':
      return [writtenCall(part)]
    case 'tool-result':
      return [writtenResponse(part, place, writing)]
    case 'reasoning':
      if (noted['form'] === 'thought') return [writtenThought(part)]
      break
    case 'custom': {
      const known = knownAgain(part, notes)
      if (known) return [known]
      break
    }
  }
  const problem =
    part.type === 'reasoning'
      ? 'Gemini takes no reasoning of another model'
      : `Gemini has no part for one of the type ${part.type}`
  const text = writing.instead({ place, problem })
  return text === undefined ? [] : [{ text }]
}

function writtenThought(part: ReasoningPart): Fields {
  return { text: part.text, thought: true, ...seal(part), ...fieldsOf(notes.of(part)['rest']) }
}

function seal({ providerOptions }: Pick<ReasoningPart, 'providerOptions'>): Fields {
  const signature = textOf(fieldsOf(providerOptions?.['google'])?.['thoughtSignature'])
  return signature === undefined ? {} : { thoughtSignature: signature }
}

function writtenCall(part: ToolCallPart): Fields {
  const { toolCallId: id, toolName: name, input: args } = part
  const { call, rest, nameless, form } = notes.of(part)
  const functionCall = {
    ...(nameless !== true && { id }),
    name,
    ...((form !== 'absent' || !isSame(args, {})) && { args: fieldsOf(args) ?? { input: args } }),
    ...fieldsOf(call),
  }
  return { functionCall, ...seal(part), ...fieldsOf(rest) }
}

function writtenResponse(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { toolCallId: id, toolName: name, output } = part
  const { given, rest, nameless, form } = notes.of(part)
  const inner = innerParts(output, place, writing)
  const response = responseOf(output)
  const functionResponse = {
    ...(nameless !== true && { id }),
    name,
    ...((form !== 'absent' || !isSame(response, {})) && { response }),
    ...(inner && { parts: inner }),
    ...fieldsOf(given),
  }
  return { functionResponse, ...fieldsOf(rest) }
}

function responseOf(output: ToolOutput): unknown {
  if (output.type === 'json') return fieldsOf(output.value) ?? { output: output.value }
  if (output.type === 'content') {
    const [first] = output.value
    const came = first && 'response' in notes.of(first) ? notes.of(first)['response'] : undefined
    if (came !== undefined && wordsOf(came) === first?.text) return came ?? {}
    const words = output.value.flatMap(({ text }) => text ?? [])
    return { [isFailed(output) ? 'error' : 'output']: words.join('\n') }
  }
  return { [isFailed(output) ? 'error' : 'output']: outputText(output) }
}

/** How the text of a response with media was made: whether it still says the same. */
function wordsOf(response: unknown): string {
  const fields = fieldsOf(response) ?? {}
  const [only, ...others] = Object.keys(fields)
  const text = others.length === 0 && only !== undefined ? textOf(fields[only]) : undefined
  const isText = text !== undefined && (only === 'output' || only === 'error')
  return isText ? text : JSON.stringify(response ?? {})
}

/** The media of an output; `undefined` if it has no place for any. */
function innerParts(output: ToolOutput, place: string, writing: Writing): Fields[] | undefined {
  if (output.type !== 'content') return undefined
  const media = output.value.filter((part) => part.type !== 'text')
  if (media.length === 0 && notes.of(output)['form'] !== 'parts') return undefined
  return media.map((part) => innerPart(part, place, writing))
}

function innerPart(part: ToolOutputPart, place: string, writing: Writing): Fields {
  return fieldsOf(notes.of(part)['part']) ?? writtenMedium(asMedium(part), place, writing)
}

function writtenMedium(part: ImagePart | FilePart, place: string, writing: Writing): Fields {
  const { source, inside, rest } = notes.of(part)
  const known = part.type === 'image' ? part.image : part.data
  if (typeof source === 'string' && typeof known === 'string') {
    const key = source === 'inlineData' ? 'data' : 'fileUri'
    const { mediaType } = part
    const fields = { [key]: known, ...(mediaType && { mimeType: mediaType }), ...fieldsOf(inside) }
    return { [source]: fields, ...fieldsOf(rest) }
  }
  const medium = mediumOf(part)
  if (typeof medium !== 'string' && medium.base64 !== undefined) {
    const words = textIn(medium)
    if (words !== undefined) return { text: `${attachmentText(medium)}\n${words}` }
    return { inlineData: { mimeType: medium.mediaType, data: medium.base64 } }
  }
  if (typeof medium !== 'string') {
    return { fileData: { mimeType: medium.mediaType, fileUri: medium.url } }
  }
  const problem = 'this medium lies with another provider'
  return { text: writing.instead({ place, problem, words: medium }) ?? medium }
}
