import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Api, Route, Wire } from './wire.ts'

const wires: readonly Wire[] = [openaiChat, openaiResponses, anthropic, gemini]

/** The API of a path whose model is asked; `undefined` for everything else. */
export function wireFor(path: string): { wire: Wire; route: Route } | undefined {
  for (const wire of wires) {
    const route = wire.route(path)
    if (route) return { wire, route }
  }
  return undefined
}

/** All ways to ask a model of an API. */
export function wiresOf(api: Api): readonly Wire[] {
  return wires.filter((wire) => wire.api === api)
}

/** Whose API a request is for that asks no model, such as for a list of models. */
export function apiFor(path: string, headers: Readonly<Record<string, unknown>>): Api {
  if ('anthropic-version' in headers) return 'anthropic'
  if ('x-goog-api-key' in headers || /^\/v1(?:beta|alpha|internal)\d*\//.test(path)) return 'gemini'
  return 'openai'
}

/** @throws TypeError if there is no such wire. */
export function wireNamed(name: string): Wire {
  const wire = wires.find((each) => each.name === name)
  if (!wire) throw new TypeError(`No wire is called ${name}.`)
  return wire
}
