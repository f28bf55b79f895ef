import { contentUsage, openGemini } from 'throughline/gemini'
import { geminiTools } from '../tools/gemini-tools.ts'
import { countOf, fieldsOf, objectsOf, textOf } from '../body/json.ts'
import { geminiSaid } from '../identity/said.ts'
import { textsIn, type Route, type Talk, type Wire } from './wire.ts'

const asked = /(?:^|\/)models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

/** `POST …/models/<model>:generateContent`, `:streamGenerateContent` and `:countTokens` */
export const gemini: Wire = {
  name: 'gemini',
  api: 'gemini',
  list: 'contents',
  tools: geminiTools,
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
      // Long, and seldom looked at.
      get tools() {
        return field('tools')
      },
      ...(output !== undefined && { output }),
      elsewhere: textOf(field('cachedContent')) !== undefined,
    }
  },
  said: geminiSaid,
  open: (options) => openGemini(options) as Promise<unknown> as Promise<Talk>,
  systemText(system) {
    return typeof system === 'string' ? system : textsIn(objectsOf(fieldsOf(system)?.['parts']))
  },
  event(event) {
    if (fieldsOf(event['error'])) return { is: 'failure', error: event }
    const [candidate] = objectsOf(event['candidates'])
    const parts = objectsOf(fieldsOf(candidate?.['content'])?.['parts'])
    const isEmpty = candidate !== undefined && parts.every(({ text }) => text === '')
    return { is: isEmpty ? 'beginning' : 'content' }
  },
  usage: (event, before) => contentUsage(event['usageMetadata']) ?? before,
  summary: ({ system, prompt, maxTokens }, { model, path }) => ({
    path: path.replace(/models\/[^/:]+:\w+$/, `models/${model}:generateContent`),
    body: {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      // A model that thinks takes its thoughts from the same limit.
      generationConfig: { maxOutputTokens: maxTokens * 2 },
    },
  }),
  summaryText([answer = {}]) {
    const [candidate] = objectsOf(answer['candidates'])
    const parts = objectsOf(fieldsOf(candidate?.['content'])?.['parts'])
    const usage = contentUsage(answer['usageMetadata'])
    const calls = parts.some(({ functionCall }) => functionCall)
    const reason = candidate?.['finishReason']
    return {
      text: textsIn(parts.filter(({ thought }) => thought !== true)),
      finish: calls
        ? 'tool-calls'
        : reason === 'STOP'
          ? 'stop'
          : reason === 'MAX_TOKENS'
            ? 'length'
            : 'other',
      ...(usage && { usage }),
    }
  },
}
