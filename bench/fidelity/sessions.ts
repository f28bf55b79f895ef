import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { measuredSession, type MeasuredSession } from 'throughline/evaluation'
import { readSession } from 'throughline/formats'

/** Reads every session below a folder that a known format recognises, in order of name. */
export async function readSessions(folder: string): Promise<MeasuredSession[]> {
  const sessions: MeasuredSession[] = []
  for (const path of await sessionFiles(folder)) {
    const session = await readOne(path)
    if (session) sessions.push(session)
  }
  return sessions
}

async function sessionFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  const sessions = files.filter((path) => /\.(?:jsonl|json|traj)$/.test(path))
  return sessions.sort().map((path) => join(folder, path))
}

async function readOne(path: string): Promise<MeasuredSession | undefined> {
  const read = await readSession(createReadStream(path)).catch(() => undefined)
  if (!read || read.log.length === 0) return undefined
  return measuredSession(basename(path).replace(/\.\w+$/, ''), read)
}
