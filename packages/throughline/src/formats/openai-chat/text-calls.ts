import { listOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'

/** A call that a model without tools wrote into its text, in OpenHands's form. */
export interface TextCall {
  /** What stands before the call. */
  text: string
  name: string
  input: Record<string, string>
}

const opening = '<function='
const closing = '</function>'
const resultStart = 'EXECUTION RESULT of ['

/** The call that ends a text. */
export function textCall(text: string): TextCall | undefined {
  const start = text.indexOf(opening)
  if (start < 0) return undefined
  const named = text.indexOf('>', start)
  const name = text.slice(start + opening.length, named)
  if (named < 0 || !isName(name)) return undefined
  // A server that stops at the closing tag leaves it out.
  const end = text.lastIndexOf(closing)
  if (end > start && text.slice(end + closing.length).trim() !== '') return undefined
  const body = text.slice(named + 1, end > start ? end : undefined)
  return { text: text.slice(0, start).trimEnd(), name, input: parametersOf(body) }
}

/** The result of the call of this name, where a text in the user's place is one. */
export function textResult(text: string, name: string): string | undefined {
  const start = `${resultStart}${name}]:`
  return text.startsWith(start) ? text.slice(start.length).trim() : undefined
}

/** The text of a message that is nothing but text. */
export function onlyText(message: Fields): string | undefined {
  const { content } = message
  if (typeof content === 'string') return content
  const blocks = objectsOf(content)
  const texts = blocks.flatMap((block) => textOf(block['text']) ?? [])
  return texts.length > 0 && texts.length === listOf(content).length ? texts.join('\n') : undefined
}

function parametersOf(body: string): Record<string, string> {
  const parameters: [string, string][] = []
  const start = '<parameter='
  const stop = '</parameter>'
  for (let at = body.indexOf(start); at >= 0;) {
    const named = body.indexOf('>', at)
    const end = named < 0 ? -1 : body.indexOf(stop, named)
    if (end < 0) break
    parameters.push([body.slice(at + start.length, named), body.slice(named + 1, end).trim()])
    at = body.indexOf(start, end)
  }
  return Object.fromEntries(parameters)
}

function isName(text: string): boolean {
  return /^[\w.-]{1,100}$/.test(text)
}
