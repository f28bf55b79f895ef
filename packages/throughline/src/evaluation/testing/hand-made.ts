import type { Entry } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { Chronological } from '../../log/order.ts'
import type { MeasuredSession } from '../measured-session.ts'

/** A small session with a known answer, for the tests of the measures. */
export function handMade(
  messages: readonly Message[],
  fields: Partial<MeasuredSession> = {},
): MeasuredSession {
  return {
    name: 'here__1',
    repository: 'here',
    harness: 'hand-made',
    directories: ['/home/me/here'],
    log: logOf(messages),
    ...fields,
  }
}

export function logOf(messages: readonly Message[]): Chronological {
  const entries = messages.map((message, index): Entry => ({
    kind: 'message',
    seq: index + 1,
    at: 0,
    origin: originOf(message),
    message,
  }))
  return entries as unknown as Chronological
}

export function human(text: string): Message {
  return { role: 'user', content: text }
}

export function says(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

export function calls(toolName: string, input: unknown, toolCallId = 'call'): Message {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] }
}

export function answers(value: string, toolCallId = 'call', failed = false): Message {
  const output = failed ? { type: 'error-text' as const, value } : { type: 'text' as const, value }
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: '', output }],
  }
}

function originOf({ role }: Message): 'human' | 'model' | 'tool' | 'harness' {
  return role === 'user'
    ? 'human'
    : role === 'assistant'
      ? 'model'
      : role === 'tool'
        ? 'tool'
        : 'harness'
}
