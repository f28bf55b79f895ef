import {
  countOf,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
  parsedJson,
} from '../json/fields.ts'
import { existsSync } from 'node:fs'
import { readDatabase, type Row, type Rows } from './opencode/database-sessions.ts'
import type { DatabaseSession, Unreadable } from './found-session.ts'
import type { Harness, Surroundings } from '../formats/writing/harness.ts'

/** The conversations in the database of lossless-claw, an engine for OpenClaw. */
export async function* losslessSessions(
  harness: Harness,
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<DatabaseSession[]> {
  for (const root of harness.roots(surroundings)) {
    const file = surroundings.path.join(root, 'lcm.db')
    if (!existsSync(file)) continue
    try {
      yield readDatabase(file, ({ all }) => all(conversations)).flatMap(
        (row): DatabaseSession[] => {
          const id = countOf(row['conversation_id'])
          const at = timeOf(row['updated_at'])
          return id === undefined ? [] : [{ type: 'database', harness, id: `${id}`, at, file }]
        },
      )
    } catch (error) {
      onUnreadable({ file, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}

const conversations = 'SELECT conversation_id, updated_at FROM conversations'

/**
 * A conversation as entries of pi, one a line: all messages, and behind them the summaries that its
 * context began with, with the first message that none of them covers.
 */
export function* losslessEntries(rows: Rows, id: string): Generator<string> {
  const [conversation] = rows.all('SELECT * FROM conversations WHERE conversation_id = ?', id)
  const timestamp = isoOf(conversation?.['created_at'])
  yield line({ type: 'session', version: 3, id, timestamp, cwd: '' })
  const parts = new Map<unknown, Row[]>()
  for (const part of rows.each(partsOf, id)) {
    parts.set(part['message_id'], [...(parts.get(part['message_id']) ?? []), part])
  }
  let parentId: string | null = null
  for (const message of rows.each(messagesOf, id)) {
    const entryId = `m${String(message['message_id'])}`
    const said = messageFrom(message, parts.get(message['message_id']) ?? [])
    yield line({ type: 'message', id: entryId, parentId, ...timed(message), message: said })
    parentId = entryId
  }
  const summary = rows
    .all(summariesOf, id)
    .map((row) => textOf(row['content']) ?? '')
    .join('\n\n')
  if (summary === '') return
  const [first] = rows.all(firstKept, id)
  const firstKeptEntryId = first ? `m${String(first['message_id'])}` : parentId
  const { updated_at: at } = conversation ?? {}
  const made = { summary, firstKeptEntryId, tokensBefore: 0, timestamp: isoOf(at) }
  yield line({ type: 'compaction', id: 'summaries', parentId, ...made })
}

const messagesOf = 'SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq'
const partsOf = `SELECT p.* FROM message_parts p JOIN messages m ON m.message_id = p.message_id
  WHERE m.conversation_id = ? ORDER BY m.seq, p.ordinal`
const summariesOf = `SELECT s.content FROM context_items i JOIN summaries s ON s.summary_id = i.summary_id
  WHERE i.conversation_id = ? AND i.item_type = 'summary' ORDER BY i.ordinal`
const firstKept = `SELECT message_id FROM context_items
  WHERE conversation_id = ? AND item_type = 'message' ORDER BY ordinal LIMIT 1`

/** It keeps the parts of OpenClaw's messages as they were. */
function messageFrom(message: Row, parts: readonly Row[]): Fields {
  const about = parts.map((part) => fieldsOf(parsedJson(textOf(part['metadata']) ?? '')))
  const [first] = about
  const role = nameOf(first?.['originalRole']) ?? plainRole(message['role'])
  const content = parts.flatMap((part, index): Fields[] => {
    const raw = fieldsOf(about[index]?.['raw'])
    if (raw) return [raw]
    const text = textOf(part['text_content'])
    return text === undefined ? [] : [{ type: 'text', text }]
  })
  const text = { type: 'text', text: textOf(message['content']) ?? '' }
  const said = {
    role,
    content: content.length > 0 ? content : [text],
    timestamp: timeOf(message['created_at']),
  }
  if (role === 'assistant') {
    const calls = objectsOf(said.content).some(({ type }) => type === 'toolCall')
    return { ...said, stopReason: calls ? 'toolUse' : 'stop' }
  }
  if (role !== 'toolResult') return said
  const toolCallId = nameOf(first?.['toolCallId']) ?? nameOf(parts[0]?.['tool_call_id'])
  const toolName = nameOf(first?.['toolName']) ?? nameOf(parts[0]?.['tool_name'])
  return { ...said, toolCallId, toolName, isError: first?.['isError'] === true }
}

function plainRole(role: unknown): string {
  return role === 'tool' ? 'toolResult' : role === 'assistant' ? 'assistant' : 'user'
}

function timed(row: Row): { timestamp: string } {
  return { timestamp: isoOf(row['created_at']) }
}

/** SQLite's times are in UTC and do not say so. */
function timeOf(value: unknown): number {
  const at = Date.parse(`${String(value).replace(' ', 'T')}Z`)
  return Number.isFinite(at) ? at : 0
}

function isoOf(value: unknown): string {
  return new Date(timeOf(value)).toISOString()
}

function line(entry: object): string {
  return `${JSON.stringify(entry)}\n`
}
