import { countOf, fieldsOf, nameOf, textOf } from '../../json/fields.ts'
import type { Fields } from '../../json/fields.ts'
import type { Row, Rows } from './database-sessions.ts'

/** The messages of a session, oldest first, in opencode's order. */
export const allMessages =
  'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id'

/**
 * The document that `opencode export` prints for a session, built from database rows and returned
 * in pieces. The database holds the same objects without their ids.
 */
export function* exportDocument(
  { all }: Rows,
  id: string,
  messages: Iterable<Row>,
): Generator<string> {
  const [session] = all('SELECT * FROM session WHERE id = ?', id)
  yield `{"info":${JSON.stringify(infoOf(id, session ?? {}))},"messages":[`
  let between = ''
  for (const row of messages) {
    const messageID = nameOf(row['id'])
    const data = objectOf(row['data'])
    // Damaged rows are counted by the reader of the document.
    const info = data && { ...data, id: messageID, sessionID: id }
    const parts = messageID === undefined ? [] : partsOf(all, id, messageID)
    yield `${between}${JSON.stringify({ info, parts })}`
    between = ','
  }
  yield ']}'
}

function infoOf(id: string, row: Row): Fields {
  const time = { created: countOf(row['time_created']), updated: countOf(row['time_updated']) }
  return {
    id,
    slug: row['slug'],
    projectID: row['project_id'],
    directory: row['directory'],
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
  const text = textOf(json)
  if (text === undefined) return undefined
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
