import { fieldsOf, objectsOf, textOf, type Fields } from '../body/json.ts'
import { eventText, withoutBeginning } from './tool-wire.ts'
import type { Exchange, OwnCall, OwnResult, RawEvent, StreamFilter, ToolWire } from './tool-wire.ts'

/** Gemini’s API. The parts of an answer are its parts. */
export const geminiTools: ToolWire = {
  names: (tools) => declared(tools).map(({ name }) => String(name)),
  withTools(tools, own) {
    const all = objectsOf(tools)
    const place = all.findIndex((tool) => objectsOf(tool['functionDeclarations']).length > 0)
    if (place < 0) return undefined
    // In the same list: some models take one list of functions alone.
    return all.map((tool, index) => {
      if (index !== place) return tool
      const before = objectsOf(tool['functionDeclarations'])
      return { ...tool, functionDeclarations: [...before, ...own.map(declarationOf)] }
    })
  },
  callOf,
  waits: (part) => callOf(part) !== undefined,
  partsOf: (answer) => partsIn(answer),
  joined: (parts) => [...parts],
  withParts(answer, parts) {
    const [candidate = {}, ...others] = objectsOf(answer['candidates'])
    const content = { role: 'model', ...fieldsOf(candidate['content']), parts }
    return { ...answer, candidates: [{ ...candidate, content }, ...others] }
  },
  filter,
  said: ({ parts, results }) => [
    { role: 'model', parts },
    { role: 'user', parts: results.map(partOf) },
  ],
  restored(following, { rounds, beside }: Exchange) {
    const [answer, next, ...rest] = following
    if (answer?.['role'] !== 'model') return [...following]
    let parts = objectsOf(answer['parts'])
    for (const round of rounds) {
      for (const said of round.parts) {
        const [first, ...others] = parts
        if (!first || callOf(said)) continue
        const text = textOf(first['text'])
        const before = textOf(said['text'])
        if (text === undefined || before === undefined) continue
        if ((first['thought'] === true) !== (said['thought'] === true)) continue
        const left = withoutBeginning(text, before)
        if (left === '') parts = others
        else if (left !== text) parts = [{ ...first, text: left }, ...others]
      }
    }
    if (parts.length === 0) parts = objectsOf(answer['parts'])
    if (!beside) return [{ ...answer, parts }, ...following.slice(1)]
    const results = beside.results.map(partOf)
    return [
      { ...answer, parts: [...parts, ...beside.parts] },
      ...(next?.['role'] === 'user'
        ? [{ ...next, parts: [...objectsOf(next['parts']), ...results] }]
        : [{ role: 'user', parts: results }, ...(next ? [next] : [])]),
      ...rest,
    ]
  },
}

function declared(tools: unknown): Fields[] {
  return objectsOf(tools).flatMap((tool) => objectsOf(tool['functionDeclarations']))
}

/** Older models know no JSON Schema, and take no field that they do not know. */
function declarationOf({
  name,
  description,
  schema,
}: {
  name: string
  description: string
  schema: object
}): Fields {
  const { properties = {} } = schema as { properties?: Record<string, Fields> }
  const plain = Object.entries(properties).map(([field, { type, description: what }]) => [
    field,
    { type, description: what },
  ])
  return {
    name,
    description,
    parameters: { type: 'object', properties: Object.fromEntries(plain) as Fields },
  }
}

function callOf(part: Fields): OwnCall | undefined {
  const call = fieldsOf(part['functionCall'])
  if (!call) return undefined
  return { id: textOf(call['id']) ?? '', name: String(call['name']), input: call['args'] ?? {} }
}

function partOf({ call, text }: OwnResult): Fields {
  const { id, name } = call
  return {
    functionResponse: { ...(id !== '' && { id }), name, response: { output: text } },
  }
}

function partsIn(answer: Fields): Fields[] {
  const [candidate] = objectsOf(answer['candidates'])
  return objectsOf(fieldsOf(candidate?.['content'])?.['parts'])
}

function filter(isOwn: (call: OwnCall) => boolean): StreamFilter {
  let parts: Fields[] = []
  let ending: Fields | undefined

  return {
    pass({ raw, data }: RawEvent) {
      if (!data) return raw
      const these = partsIn(data)
      parts.push(...these.filter((part) => part['text'] !== ''))
      const kept = these.filter((part) => {
        const call = callOf(part)
        return !call || !isOwn(call)
      })
      const [candidate] = objectsOf(data['candidates'])
      const isEnd = textOf(candidate?.['finishReason']) !== undefined
      if (!isEnd)
        return kept.length === these.length ? raw : kept.length > 0 ? shown(data, kept) : ''
      ending = geminiTools.withParts(data, kept, { isFinished: false })
      return ''
    },
    peek: () => parts,
    takeRound() {
      ;[parts, ending] = [[], undefined]
    },
    end: () => (ending ? eventText(ending) : ''),
  }

  function shown(data: Fields, kept: readonly Fields[]): string {
    return eventText(geminiTools.withParts(data, kept, { isFinished: false }))
  }
}
