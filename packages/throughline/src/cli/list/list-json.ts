import { foundName } from '../found/found-name.ts'
import type { Unreadable } from '../../harnesses/found-session.ts'
import type { ListRow } from './row.ts'

/** The object of `list --json`. */
export function listJson(
  rows: readonly ListRow[],
  total: number,
  unreadable: readonly Unreadable[],
) {
  return {
    version: 1,
    total,
    sessions: rows.map(rowJson),
    unreadable: { count: unreadable.length, files: unreadable.slice(0, mostNamed) },
  }
}

const mostNamed = 100

function rowJson({ found, glance, usable }: ListRow) {
  const { tokens } = glance
  return {
    session: foundName({ ...found, id: glance.id }),
    harness: found.harness.name,
    id: glance.id,
    written: Math.floor(found.at),
    file: found.file,
    bytes: glance.bytes,
    directory: glance.directory ?? null,
    model: glance.model ?? null,
    entries: glance.entries ?? null,
    tokens: tokens ? { count: tokens.count, from: tokens.from } : null,
    usable,
    title: glance.title ?? null,
  }
}
