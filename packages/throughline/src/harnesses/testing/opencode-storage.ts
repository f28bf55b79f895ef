import { join } from 'node:path'
import { put } from './temporary.ts'
import type { opencodeDatabase } from './opencode-database.ts'

type ExportedSession = Parameters<typeof opencodeDatabase>[1][number]

/**
 * Writes an exported session into files as opencode before 1.2 did, and returns the session's own
 * file.
 */
export function opencodeStorage(root: string, { info, messages }: ExportedSession): string {
  for (const { info: message, parts } of messages) {
    const { id } = message as { id: string }
    put(join(root, 'message', info.id, `${id}.json`), JSON.stringify(message))
    parts.forEach((part, index) => {
      const name = `prt_${`${index}`.padStart(4, '0')}`
      put(join(root, 'part', id, `${name}.json`), JSON.stringify({ ...part, id: name }))
    })
  }
  return put(join(root, 'session', 'p', `${info.id}.json`), JSON.stringify(info))
}
