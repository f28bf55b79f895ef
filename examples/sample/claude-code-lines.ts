import { createHash } from 'node:crypto'
import { outputText, partsOf, type Entry, type EntryOf, type Part } from 'throughline'
import { home } from './neutral.ts'

type Message = EntryOf<'message'>

/** A session as the lines of a Claude Code transcript: one block a record, each linked to the last. */
export function claudeCodeLines(entries: readonly Entry[], sessionId: string): string[] {
  const lines: string[] = []
  let parentUuid: string | null = null
  let cached = 0
  for (const entry of entries) {
    if (entry.kind !== 'message') continue
    const blocks = partsOf(entry.message).flatMap(blockOf)
    for (const [index, block] of blocks.entries()) {
      const uuid = uuidOf(`${sessionId} ${lines.length}`)
      const last = index === blocks.length - 1
      const common = {
        parentUuid,
        isSidechain: false,
        userType: 'external',
        cwd: home,
        sessionId,
        version: '2.1.20',
        gitBranch: 'main',
      }
      const own =
        entry.message.role === 'assistant'
          ? assistantRecord(entry, block, { last, cached })
          : userRecord(entry, block)
      const timestamp = new Date(entry.at + index).toISOString()
      lines.push(JSON.stringify({ ...common, ...own, uuid, timestamp }))
      parentUuid = uuid
    }
    cached = entry.usage?.inputTokens ?? cached
  }
  return lines
}

function assistantRecord(
  entry: Message,
  block: unknown,
  { last, cached }: { last: boolean; cached: number },
): object {
  const { inputTokens = 0, outputTokens = 0 } = entry.usage ?? {}
  const id = uuidOf(`message ${entry.seq}`).replaceAll('-', '').slice(0, 24)
  return {
    type: 'assistant',
    requestId: `req_${id}`,
    message: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: entry.model ?? 'scripted',
      content: [block],
      stop_reason: last ? (entry.finish === 'tool-calls' ? 'tool_use' : 'end_turn') : null,
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        cache_creation_input_tokens: Math.max(inputTokens - cached, 0),
        cache_read_input_tokens: Math.min(inputTokens, cached),
        output_tokens: outputTokens,
      },
    },
  }
}

function userRecord(entry: Message, block: unknown): object {
  const { content } = entry.message
  const harness = entry.origin === 'harness' && { isMeta: true }
  return {
    type: 'user',
    ...harness,
    message: { role: 'user', content: typeof content === 'string' ? content : [block] },
  }
}

function blockOf(part: Part): unknown[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'reasoning':
      return [{ type: 'thinking', thinking: part.text, signature: '' }]
    case 'tool-call':
      return [{ type: 'tool_use', id: toolUseId(part), name: part.toolName, input: part.input }]
    case 'tool-result':
      return [
        {
          tool_use_id: toolUseId(part),
          type: 'tool_result',
          content: outputText(part.output),
          is_error: part.output.type === 'error-text',
        },
      ]
    default:
      return []
  }
}

function toolUseId({ toolCallId }: { toolCallId: string }): string {
  return `toolu_${uuidOf(toolCallId).replaceAll('-', '').slice(0, 24)}`
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
