import { countOf, fieldsOf, textOf } from '../body/json.ts'
import { type Route, type Wire } from './wire.ts'

const asked = /(?:^|\/)models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

/** `POST …/models/<model>:generateContent`, `:streamGenerateContent` and `:countTokens` */
export const gemini: Wire = {
  name: 'gemini',
  api: 'gemini',
  list: 'contents',
  route(path): Route | undefined {
    const [, model, method] = asked.exec(path) ?? []
    if (model === undefined) return undefined
    if (method === 'countTokens') return { asks: 'count', model, streams: false }
    return { asks: 'answer', model, streams: method === 'streamGenerateContent' }
  },
  read(field, { model, streams }) {
    const output = countOf(fieldsOf(field('generationConfig'))?.['maxOutputTokens'])
    return {
      model: model ?? textOf(field('model')) ?? '',
      streams: streams === true,
      system: field('systemInstruction') ?? field('system_instruction'),
      tools: field('tools'),
      ...(output !== undefined && { output }),
      elsewhere: textOf(field('cachedContent')) !== undefined,
    }
  },
}
