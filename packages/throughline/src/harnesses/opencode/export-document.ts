import { countOf, fieldsOf, nameOf, textOf, type Fields, parsedJson } from '../../json/fields.ts'
import type { Row, Rows } from './database-sessions.ts'

/** Where a version of opencode keeps its messages, and in which order. */
export interface MessageTable {
  columns: string
  oldestFirst: string
  newestFirst: string
  /** The rows that hold most of a session. */
  weight: string
}

/** Version 1 keeps the parts of a message apart, and tells the order by time. */
const tableOfV1: MessageTable = {
  columns: 'id, data FROM message',
  oldestFirst: 'time_created, id',
  newestFirst: 'time_created DESC, id DESC',
  weight: 'part',
}

/** Version 2 has the same file, counts its messages, and leaves the tables of version 1 in it. */
const tableOfV2: MessageTable = {
  columns: 'id, type, time_created, data FROM session_message',
  oldestFirst: 'seq',
  newestFirst: 'seq DESC',
  weight: 'session_message',
}

export function messageTable(isV2: boolean): MessageTable {
  return isV2 ? tableOfV2 : tableOfV1
}

/** The messages of a session, by `oldestFirst` or `newestFirst`. */
export function messagesBy({ columns }: MessageTable, order: string): string {
  return `SELECT ${columns} WHERE session_id = ? ORDER BY ${order}`
}

/**
 * The document that `opencode export` prints for a session, built from database rows and returned
 * in pieces. The database holds the same objects without their ids.
 */
export function* exportDocument(
  { all }: Rows,
  id: string,
  messages: Iterable<Row>,
  isV2: boolean,
): Generator<string> {
  const [session] = all(`SELECT * FROM ${isV2 ? 'session_v2' : 'session'} WHERE id = ?`, id)
  yield `{"info":${JSON.stringify(infoOf(id, session ?? {}, isV2))},"messages":[`
  let between = ''
  for (const row of messages) {
    const messageID = nameOf(row['id'])
    const data = objectOf(row['data'])
    if (isV2) {
      yield `${between}${JSON.stringify(data ? messageOfV2(row, data) : null)}`
      between = ','
      continue
    }
    // Damaged rows are counted by the reader of the document.
    const info = data && { ...data, id: messageID, sessionID: id }
    const parts = messageID === undefined ? [] : partsOf(all, id, messageID)
    yield `${between}${JSON.stringify({ info, parts })}`
    between = ','
  }
  yield ']}'
}

/** Its row holds all but what the columns hold. */
function messageOfV2({ id, type, time_created }: Row, data: Fields): Fields {
  return { time: { created: countOf(time_created) }, ...data, id, type }
}

function infoOf(id: string, row: Row, isV2: boolean): Fields {
  const time = { created: countOf(row['time_created']), updated: countOf(row['time_updated']) }
  return {
    id,
    slug: row['slug'],
    projectID: row['project_id'],
    ...(isV2 ? { location: { directory: row['directory'] } } : { directory: row['directory'] }),
    title: row['title'],
    version: row['version'],
    time,
    revert: objectOf(row['revert']),
  }
}

function partsOf(all: Rows['all'], sessionID: string, messageID: string): Fields[] {
  const rows = all('SELECT id, data FROM part WHERE message_id = ? ORDER BY id', messageID)
  return rows.flatMap((row) => {
    const data = objectOf(row['data'])
    return data ? [{ ...data, id: row['id'], sessionID, messageID }] : []
  })
}

function objectOf(json: unknown): Fields | undefined {
  return fieldsOf(parsedJson(textOf(json) ?? ''))
}
