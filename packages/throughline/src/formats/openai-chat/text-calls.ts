import { listOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { Translated, Translator } from '../api-messages.ts'

/**
 * Calls that a model without tools wrote into its texts, in OpenHands's form, as calls: a text may
 * be one, and only a result of it shows that it is.
 */
export function textCalls(): Translator {
  let held: Held | undefined
  /** How many calls were written as text so far. */
  let written = 0
  // The ids are those by which OpenHands itself numbers such calls.
  const asCall = ({ call, translated }: Held): Translated => {
    const id = `toolu_${String(++written).padStart(2, '0')}`
    const called = { name: call.name, arguments: JSON.stringify(call.input) }
    const { tool_calls: _, ...native } = translated.native
    const tool_calls = [{ id, type: 'function', function: called }]
    return { ...translated, native: { ...native, content: call.text, tool_calls } }
  }
  const release = (): Translated[] => {
    const before = held ? [held.translated] : []
    held = undefined
    return before
  }
  return {
    read(native, details) {
      const text = native['role'] === 'user' && held ? onlyText(native) : undefined
      const result = text === undefined || !held ? undefined : textResult(text, held.call.name)
      if (result !== undefined && held) {
        const call = asCall(held)
        held = undefined
        const tool_call_id = `toolu_${String(written).padStart(2, '0')}`
        return [
          call,
          { native: { ...native, role: 'tool', tool_call_id, content: result }, details },
        ]
      }
      // What is no message stands between none.
      if (typeof native['role'] !== 'string') return [{ native, details }]
      const before = release()
      const call = callIn(native)
      if (!call) return [...before, { native, details }]
      held = { call, translated: { native, details } }
      return before
    },
    end() {
      if (held && written > 0) {
        const call = asCall(held)
        held = undefined
        return [call]
      }
      return release()
    },
  }
}

interface Held {
  call: TextCall
  translated: Translated
}

function callIn(native: Fields): TextCall | undefined {
  if (native['role'] !== 'assistant' || listOf(native['tool_calls']).length > 0) return undefined
  const text = onlyText(native)
  return text === undefined ? undefined : textCall(text)
}

/** A call that stands in a text. */
interface TextCall {
  text: string
  name: string
  input: Record<string, string>
}

const opening = '<function='
const closing = '</function>'
const resultStart = 'EXECUTION RESULT of ['

function textCall(text: string): TextCall | undefined {
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

/** The result of the call with this name, if a text in the user's place is one. */
function textResult(text: string, name: string): string | undefined {
  const start = `${resultStart}${name}]:`
  return text.startsWith(start) ? text.slice(start.length).trim() : undefined
}

/** The text of a message that contains only text. */
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
