import { generateText, type ModelMessage } from 'ai'
import { alternateRoles } from '../../testing/alternate-roles.ts'
import { anthropicProblems, type AnthropicBody } from '../../testing/request-rules/anthropic.ts'
import {
  chatProblems,
  responsesProblems,
  type ChatBody,
  type ResponsesBody,
} from '../../testing/request-rules/openai.ts'
import { readSession } from '../reading/read-session.ts'
import { scriptedModel } from '../../testing/scripted/scripted-model.ts'
import { substance } from '../../testing/conformance/writer-conformance.ts'
import { writtenSession } from '../writing/written-session.ts'
import type { WrittenSession } from '../writing/format-writer.ts'

/** What a provider, or the SDK, would refuse of a document that was written for it. */
export async function requestProblems(name: string, text: string): Promise<string[]> {
  const document: unknown = JSON.parse(text)
  switch (name) {
    case 'anthropic':
      return anthropicProblems(document as AnthropicBody)
    case 'openai-chat':
      return chatProblems(document as ChatBody)
    case 'openai-responses':
      return responsesProblems(document as ResponsesBody)
    default:
      return sdkProblems(document as ModelMessage[])
  }
}

/** What the SDK's own checks report, and those of a strict provider after them. */
async function sdkProblems(messages: ModelMessage[]): Promise<string[]> {
  const [first] = messages
  // The caller is responsible for beginning with the user.
  const before: ModelMessage[] = first?.role === 'user' ? [] : [{ role: 'user', content: 'Go.' }]
  const next: ModelMessage = { role: 'user', content: 'Go on.' }
  const model = scriptedModel({ script: [{ text: 'Done.' }] })
  try {
    await generateText({ model, messages: [...before, ...messages, next], maxRetries: 0 })
    return []
  } catch (error) {
    return [String(error)]
  }
}

/** What must come back of a session that was written for an API. */
export function requestSubstance(name: string, session: WrittenSession): string[] {
  if (name === 'ai-sdk') return substance(session)
  const turns = inTurn(session)
  const [first] = turns.messages
  const needsUser = name === 'anthropic' && first?.message.role === 'assistant'
  return substance(needsUser ? { ...turns, messages: [notHere, ...turns.messages] } : turns)
}

/** What stands in the user's place before an assistant's message, with which no request may begin. */
const notHere = {
  message: { role: 'user', content: '[What was said before is not here.]' },
  origin: 'human',
  at: 0,
} as const

/**
 * API messages have one of two speakers, and consecutive texts of one speaker may share a message.
 */
function inTurn({ summary, messages, facts }: WrittenSession): WrittenSession {
  const joined = alternateRoles(messages.map(({ message }) => message))
  const said = joined.map((message) => ({ message, origin: 'human' as const, at: 0 }))
  return { ...(summary !== undefined && { summary }), messages: said, facts }
}

/** The session that a document holds, told by its content alone. */
export async function readDocument(text: string): Promise<WrittenSession> {
  const { log, facts } = await readSession(text)
  return writtenSession(log, facts)
}
