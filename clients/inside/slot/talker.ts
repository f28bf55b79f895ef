import { join } from 'node:path'
import {
  startProvider,
  type SaidPart,
  type ScriptedProvider,
  type ServedRequest,
} from 'throughline/testing/provider'
import type { ServedAnswer } from '../../../packages/throughline/src/testing/provider/served-answer.ts'
import { insideOpenclaw } from '../of/openclaw.ts'

/** The bytes of what the host adds behind every request. */
export const volatile = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>'

/**
 * A model that does what the newest words ask: `Read notes 1 to 9`, one file a step, or
 * `Call NAME {…}`. It knows only what stands in its request, so that sub-agents and chats can take
 * turns.
 */
export async function startTalker(directory: string): Promise<ScriptedProvider> {
  return startProvider({
    model: 'scripted',
    script: (request) => answerTo(request, directory),
    rules: { window: insideOpenclaw.window, strict: false },
  })
}

/** Whether a request is for a summary. */
export function asksForSummary({ tools }: ServedRequest): boolean {
  return tools.length === 0
}

function answerTo(request: ServedRequest, directory: string): ServedAnswer {
  if (asksForSummary(request))
    return { text: insideOpenclaw.summary?.(summary, request) ?? summary }
  const said = request.said.filter((part) => !('text' in part && part.text.includes(volatile)))
  const at = said.findLastIndex((part) => part.type === 'text' && part.role === 'user')
  const asked = textOf(said[at])
  // What the host asks for by itself, and nothing is to be done for.
  if (/heartbeat monitor|Handle this reminder/.test(asked)) return { text: 'NO_REPLY' }
  const done = said.slice(at + 1).filter(({ type }) => type === 'result')
  const id = `call_${request.number}`
  const [, from, to] = /Read notes (\d+) to (\d+)/.exec(asked) ?? []
  const file = Number(from) + done.length
  if (file <= Number(to)) {
    const path = join(directory, `notes/notes-${file}.txt`)
    return { text: `I read notes ${file}.`, calls: [{ id, ...insideOpenclaw.read(path) }] }
  }
  const [, tool, args] = /Call (\w+) (\{.*\})/.exec(asked) ?? []
  if (tool !== undefined && done.length === 0) {
    const input = { id: tool, args: JSON.parse(args ?? '{}') as unknown }
    return { text: 'I call it.', calls: [{ id, name: 'tool_call', input }] }
  }
  return {
    text: done.length === 0 ? 'Understood.' : `It gave: ${textOf(done.at(-1)).slice(0, 600)}`,
  }
}

function textOf(part: SaidPart | undefined): string {
  return part && 'text' in part ? part.text : ''
}

const summary = `## Goal
The notes are being read, one after the other.

## Instructions
- Work in the way that was agreed.

## Discoveries
${Array.from({ length: 12 }, (_, line) => `- Harbor ${line} has its weather, and ${line * 17} ships that wait for a better wind.`).join('\n')}

## Accomplished
- Files were read.

## Relevant files
- notes: the sources of all that.`
