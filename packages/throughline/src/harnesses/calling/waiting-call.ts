import { open } from 'node:fs/promises'
import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { readDatabase } from '../opencode/read-database.ts'
import type { FoundSession } from '../found-session.ts'

// Clients write a call down before they carry it out; what was said with it stands before it.
const lastBytes = 1024 * 1024

/** Whether a session's newest part names a call by its id. */
export async function namesCall(found: FoundSession, call: string): Promise<boolean> {
  if (found.type !== 'file') return false
  const handle = await open(found.file, 'r')
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, lastBytes)
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(length),
      0,
      length,
      Math.max(0, size - length),
    )
    return buffer.subarray(0, bytesRead).includes(JSON.stringify(call))
  } finally {
    await handle.close()
  }
}

const newestParts =
  'SELECT data FROM part WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 50'

/**
 * Whether a session of opencode waits for a call with this input. opencode names no session, but
 * writes each call down before it carries it out.
 */
export function waitsForInput(found: FoundSession, input: unknown): boolean {
  if (found.type !== 'database') return false
  const rows = readDatabase(found.file, ({ all }) => all(newestParts, found.id))
  return rows.some((row) => {
    const state = fieldsOf(partIn(nameOf(row['data']))['state'])
    const isOpen = state?.['status'] === 'running' || state?.['status'] === 'pending'
    return isOpen && JSON.stringify(state['input']) === JSON.stringify(input)
  })
}

function partIn(json: string | undefined): Fields {
  try {
    return fieldsOf(JSON.parse(json ?? '')) ?? {}
  } catch {
    return {}
  }
}
