import { noModel } from '../writing/model-name.ts'
import { momentOf } from '../writing/moment.ts'
import { partsOf, type ToolOutput } from '../../log/message.ts'
import { providerOf } from '../writing/provider-of.ts'
import { replyParts, userParts, type Fields } from './written-parts.ts'
import type { Identity, WrittenMessage, WrittenSession } from '../writing/format-writer.ts'

/** A message that has no ids yet. */
export interface Said {
  role: 'user' | 'assistant'
  /** Milliseconds since 1970. */
  at: number
  info: Fields
  parts: Fields[]
}

/** What a session says in opencode's messages: a reply holds its results. */
export function saidIn(session: WrittenSession, { now, directory }: Identity): Said[] {
  const { summary, messages, facts } = session
  const made = messages.findLast(({ model }) => model !== undefined)?.model
  const model = facts.model ?? made ?? noModel
  const outputs = outputsOf(messages)

  const user = (at: number, parts: Fields[]): Said => {
    const info = { agent: 'build', model: { providerID: providerId(model), modelID: model } }
    return { role: 'user', at, info, parts }
  }
  const assistant = (at: number, parts: Fields[], info: Fields): Said => {
    const path = { cwd: directory, root: directory }
    const whole = { mode: 'build', agent: 'build', path, cost: 0, tokens: noTokens, ...info }
    return { role: 'assistant', at, info: whole, parts }
  }
  const said = (written: WrittenMessage): Said[] => {
    const { message, origin } = written
    const at = momentOf(written.at, now)
    if (message.role === 'tool') return []
    if (message.role !== 'assistant') return [user(at, userParts(message, origin !== 'human'))]
    const parts = replyParts(message, outputs, at)
    return [assistant(at, parts, { ...madeBy(written.model ?? model), finish: finishOf(written) })]
  }
  const spoken = messages.flatMap(said)
  if (summary === undefined) return spoken
  const at = spoken[0]?.at ?? now
  const marked = { ...madeBy(model), mode: 'compaction', agent: 'compaction', summary: true }
  return [
    user(at, [{ type: 'compaction', auto: false }]),
    // Without a finish opencode would compact again.
    assistant(at, [{ type: 'text', text: summary }], { ...marked, finish: 'stop' }),
    ...spoken,
  ]
}

const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function madeBy(model: string): Fields {
  return { modelID: model, providerID: providerId(model) }
}

function providerId(model: string): string {
  return providerOf(model) ?? 'opencode'
}

function finishOf({ message, finish }: WrittenMessage): string {
  if (partsOf(message).some((part) => part.type === 'tool-call')) return 'tool-calls'
  return finish === 'length' ? 'length' : 'stop'
}

function outputsOf(messages: readonly WrittenMessage[]): Map<string, ToolOutput> {
  const outputs = new Map<string, ToolOutput>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
    }
  }
  return outputs
}
