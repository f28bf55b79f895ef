import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { countOf, fieldsOf, type Fields } from '../../json/fields.ts'
import { codeOf } from '../errors.ts'
import { objectIn } from './storage-sessions.ts'
import type { StorageSession } from '../found-session.ts'

/** A message of a session kept in files: its id and the content of its own file. */
export interface StoredMessage {
  id: string
  info: Fields | undefined
}

/** The messages of a session, oldest first. Only file names decide what is read. */
export async function storedMessages({ root, id }: StorageSession): Promise<StoredMessage[]> {
  const folder = join(root, 'message', id)
  const messages: StoredMessage[] = []
  for (const name of await idsIn(folder)) {
    messages.push({ id: name, info: await objectIn(join(folder, `${name}.json`)) })
  }
  return messages.toSorted((a, b) => createdAt(a) - createdAt(b))
}

/** The document that `opencode export` would print for these messages, in pieces. */
export async function* storageDocument(
  { root, file }: StorageSession,
  messages: readonly StoredMessage[],
): AsyncGenerator<string> {
  yield `{"info":${JSON.stringify(await objectIn(file))},"messages":[`
  let between = ''
  for (const { id, info } of messages) {
    const folder = join(root, 'part', id)
    const parts: unknown[] = []
    for (const name of await idsIn(folder)) {
      const part = await objectIn(join(folder, `${name}.json`))
      if (part) parts.push(part)
    }
    yield `${between}${JSON.stringify({ info, parts })}`
    between = ','
  }
  yield ']}'
}

/** The size in bytes of all messages. */
export async function storedBytes(
  root: string,
  messages: readonly StoredMessage[],
): Promise<number> {
  let bytes = 0
  for (const { id } of messages) {
    const folder = join(root, 'part', id)
    for (const name of await idsIn(folder))
      bytes += (await lstat(join(folder, `${name}.json`))).size
  }
  return bytes
}

function createdAt({ info }: StoredMessage): number {
  return countOf(fieldsOf(info?.['time'])?.['created']) ?? 0
}

/** In their own order, which is chronological. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return names.flatMap((name) => /^(\w+)\.json$/.exec(name)?.[1] ?? []).toSorted()
}
