import { partText } from '../log/message-text.ts'
import { partsOf, type Part } from '../log/message.ts'
import { readSession } from '../formats/read-session.ts'
import { writtenSession } from '../formats/writing/written-session.ts'
import type { Format } from '../formats/format.ts'
import type { FormatWriter, Identity, WrittenSession } from '../formats/writing/format-writer.ts'

/** What a test gives a written session: the same ids every time. */
export function testIdentity(): Identity {
  let number = 0
  const newId = (): string => `00000000-0000-4000-8000-${`${number++}`.padStart(12, '0')}`
  const session = '5e55104e-0000-4000-8000-000000000001'
  return { session, newId, now: Date.UTC(2026, 0, 1), directory: '/code/project' }
}

/** The session that is read back from what a writer wrote of it. */
export async function readBack(
  writer: FormatWriter,
  format: Format,
  session: WrittenSession,
): Promise<WrittenSession> {
  const { text } = writer.write(session, testIdentity())
  const read = await readSession([new TextEncoder().encode(text)], { formats: [format] })
  if (read.skippedCount > 0)
    throw new Error(`Its lines are skipped: ${JSON.stringify(read.skipped)}`)
  return writtenSession(read.log, read.facts)
}

/**
 * What must come back of a session, one line for each thing said, in order: by whom, which tool
 * with which input, which output and whether it failed. Ids, times and how messages are cut into
 * pieces may differ.
 */
export function substance({ summary, messages }: WrittenSession): string[] {
  const lines = summary === undefined ? [] : [`summary: ${summary}`]
  for (const { message, origin } of messages) {
    const who = message.role === 'user' && origin === 'human' ? 'human' : message.role
    for (const part of partsOf(message)) lines.push(`${who}: ${said(part)}`)
  }
  return lines
}

function said(part: Part): string {
  switch (part.type) {
    case 'tool-call':
      return `${part.toolName} ${JSON.stringify(part.input)}`
    case 'tool-result': {
      const failed = part.output.type.startsWith('error') || part.output.type === 'execution-denied'
      return `${part.toolName} ${failed ? 'failed' : 'gave'} ${partText(part)}`
    }
    case 'text':
      return part.text
    default:
      return `[${part.type}]`
  }
}
