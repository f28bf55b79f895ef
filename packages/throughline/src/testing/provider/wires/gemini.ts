import { geminiProblems } from '../../request-rules/gemini.ts'
import { geminiRefusal } from '../refusal-body.ts'
import { fieldsOf, nameOf, objectsOf, textOf } from '../../../json/fields.ts'
import type { Wire, WireAnswer, WireEvent } from '../wire.ts'
import type { Fields } from '../refusal-body.ts'
import type { SaidPart } from '../served-request.ts'

/** `POST /v1beta/models/<model>:generateContent`, and the same for a stream. */
export const gemini: Wire = {
  name: 'gemini',
  serves: (path) => /:(?:generateContent|streamGenerateContent)$/.test(path),
  said: (body) => [
    ...saidIn('system', fieldsOf(body['systemInstruction'])),
    ...objectsOf(body['contents']).flatMap((content) => saidIn(String(content['role']), content)),
  ],
  tools: ({ tools }) =>
    objectsOf(tools)
      .flatMap((tool) => objectsOf(tool['functionDeclarations']))
      .flatMap((declared) => nameOf(declared['name']) ?? []),
  streams: (_, url) => url.pathname.endsWith(':streamGenerateContent'),
  events,
  whole: (answer) => candidate(answer, partsOf(answer), reason(answer)),
  refusal: geminiRefusal,
  failure: (body) => ({ data: body }),
  problems: ({ contents }) =>
    geminiProblems(
      objectsOf(contents).map(({ role, parts }) => ({
        role: String(role),
        parts: objectsOf(parts),
      })),
    ),
}

function saidIn(role: string, content: Fields | undefined): SaidPart[] {
  return objectsOf(content?.['parts']).map((part): SaidPart => {
    const text = textOf(part['text'])
    if (text !== undefined && part['thought'] !== true) return { type: 'text', role, text }
    const call = fieldsOf(part['functionCall'])
    if (call) {
      const { id, name, args } = call
      return { type: 'call', id: String(id ?? name), name: String(name), input: args ?? {} }
    }
    const result = fieldsOf(part['functionResponse'])
    if (!result) return { type: 'other', role, kind: Object.keys(part).join(' ') }
    const { id, name, response } = result
    const said = fieldsOf(response)
    const output = textOf(said?.['output']) ?? textOf(said?.['error'])
    return { type: 'result', id: String(id ?? name), text: output ?? JSON.stringify(response) }
  })
}

function partsOf({ reasoning, chunks, calls }: WireAnswer): Fields[] {
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(chunks.length === 0 ? [] : [{ text: chunks.join('') }]),
    ...calls.map(functionCall),
  ]
}

function functionCall({ id, name, input }: WireAnswer['calls'][number]): Fields {
  return { functionCall: { id, name, args: input } }
}

function candidate(answer: WireAnswer, parts: Fields[], finishReason?: string): Fields {
  const { id, model, usage } = answer
  const counted = usage && {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    cachedContentTokenCount: usage.cacheRead,
    totalTokenCount: usage.input + usage.output,
  }
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) },
    ],
    ...(counted && { usageMetadata: counted }),
    modelVersion: model,
    responseId: id,
  }
}

function events(answer: WireAnswer): WireEvent[] {
  const { reasoning, chunks, calls } = answer
  const event = (part: Fields): WireEvent => ({ data: candidate(answer, [part]) })
  return [
    ...(reasoning === '' ? [] : [event({ text: reasoning, thought: true })]),
    ...chunks.map((text) => ({ ...event({ text }), isText: true })),
    ...calls.map((call) => event(functionCall(call))),
    { data: candidate(answer, [{ text: '' }], reason(answer)) },
  ]
}

function reason({ finish }: WireAnswer): string {
  if (finish === 'length') return 'MAX_TOKENS'
  return finish === 'content-filter' ? 'SAFETY' : 'STOP'
}
