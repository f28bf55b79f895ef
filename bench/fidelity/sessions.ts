import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readSession } from 'throughline/formats'
import type { Chronological } from 'throughline'
import type { Session } from './session.ts'

/** Fields of a tool's input in which harnesses name the directory that a command runs in. */
const directoryFields: ReadonlySet<string> = new Set(['workdir', 'cwd'])

/** Reads every session below a folder that a known format recognises, in order of name. */
export async function readSessions(folder: string): Promise<Session[]> {
  const sessions: Session[] = []
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

async function readOne(path: string): Promise<Session | undefined> {
  const read = await readSession(createReadStream(path)).catch(() => undefined)
  if (!read || read.log.length === 0) return undefined
  const name = basename(path).replace(/\.\w+$/, '')
  return {
    name,
    repository: name.split('__')[0] ?? name,
    harness: read.format,
    directories: directoriesOf(read.log, read.facts.directory),
    log: read.log,
  }
}

/** The directories that a session worked in, without those inside another; longest first. */
function directoriesOf(log: Chronological, own: string | undefined): string[] {
  const named = new Set<string>(own === undefined ? [] : [own])
  for (const entry of log) {
    if (entry.kind !== 'message' || typeof entry.message.content === 'string') continue
    for (const part of entry.message.content) {
      if (part.type !== 'tool-call' || typeof part.input !== 'object' || part.input === null)
        continue
      for (const [field, value] of Object.entries(part.input)) {
        if (directoryFields.has(field) && isAbsolute(value)) named.add(value)
      }
    }
  }
  const all = [...named].map((path) => path.replaceAll('\\', '/').replace(/\/+$/, ''))
  const outermost = all.filter((inner) => !all.some((outer) => inner.startsWith(`${outer}/`)))
  return [...new Set(outermost)].sort((a, b) => b.length - a.length)
}

function isAbsolute(value: unknown): value is string {
  return typeof value === 'string' && value.length > 1 && value.startsWith('/')
}
