import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { mediumOf, type Medium } from '../../wires/media.ts'
import { partsOf, type Message, type ToolResultPart } from '../../log/message.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import { writtenSession } from '../../formats/writing/written-session.ts'
import type { Format } from '../../formats/format.ts'
import type { FormatWriter, Identity, WrittenSession } from '../../formats/writing/format-writer.ts'

/** What a test passes to a written session: the same ids every time. */
export function testIdentity(): Identity {
  let number = 0
  const newId = (): string => `00000000-0000-4000-8000-${`${number++}`.padStart(12, '0')}`
  const session = '5e55104e-0000-4000-8000-000000000001'
  return { session, newId, now: Date.UTC(2026, 0, 1), directory: '/code/project' }
}

/** The session read back from a writer's output. */
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
 * What must survive in a session, one line for each thing said, in order: by whom, which tool with
 * which input, which output and whether it failed. Ids and times may differ; so may the division of
 * a message's texts, and whether a medium or words in its place are there.
 */
export function substance({ summary, messages }: WrittenSession): string[] {
  const lines = summary === undefined ? [] : [`summary: ${readSummaryBlock(summary) ?? summary}`]
  for (const { message, origin } of messages) {
    const who = message.role === 'user' && origin === 'human' ? 'human' : message.role
    for (const said of saidIn(message)) lines.push(`${who}: ${said}`)
  }
  return lines
}

function saidIn(message: Message): string[] {
  const parts = partsOf(message)
  const texts = parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'image' || part.type === 'file' ? [wordsFor(mediumOf(part))] : []
  })
  const rest = parts.flatMap((part) => {
    if (part.type === 'tool-call') return [`${part.toolName} ${JSON.stringify(part.input)}`]
    return part.type === 'tool-result' ? [outcome(part)] : []
  })
  return texts.length === 0 ? rest : [texts.toSorted(wordsFirst).join('\n\n'), ...rest]
}

/** Some formats keep media apart from the text of a message. */
function wordsFirst(left: string, right: string): number {
  return Number(left.startsWith('[Attached ')) - Number(right.startsWith('[Attached '))
}

function outcome({ toolName, output }: ToolResultPart): string {
  const pieces = outputPieces(output).map(wordsFor)
  const said = pieces.filter((piece) => piece !== '').join('\n')
  return `${toolName} ${isFailed(output) ? 'failed' : 'gave'} ${said}`
}

function wordsFor(piece: string | Medium): string {
  return typeof piece === 'string' ? piece : attachmentText(piece)
}
