import { createReadStream } from 'node:fs'
import { escaped } from './escaped.ts'
import { compactLog, partsOf, partText, type Message } from 'throughline'
import { handOver, readSession, writtenSession, type WrittenSession } from 'throughline/formats'
import type { Start } from './sessions.ts'

/** A real session after a compaction, and the texts that must no longer appear anywhere. */
export interface Compacted {
  written: WrittenSession
  /** Pieces of what was summarized. */
  gone: string[]
}

/** Reads a session and compacts it once for a client, with the local summary, whatever its size. */
export async function compactedSession({ path, tools }: Start, client: string): Promise<Compacted> {
  const { format, log, facts } = await readSession(createReadStream(path))
  const after = await compactLog(log, {
    window: { context: 200_000 },
    trigger: 'manual',
    ...(facts.directory !== undefined && { directories: [facts.directory] }),
  })
  const asItIs = writtenSession(after.log, facts)
  const written = tools === 'handed over' ? handOver(asItIs, format, client) : asItIs
  if (written.summary === undefined) throw new Error(`Nothing was summarized of ${path}.`)
  const kept = JSON.stringify(written)
  // A harness repeats its own messages.
  const pieces = log.flatMap((entry) =>
    entry.kind === 'message' && entry.origin !== 'harness' ? piecesOf(entry.message) : [],
  )
  // Calls described in words appear there as JSON.
  const isKept = (piece: string): boolean =>
    [escaped(piece), escaped(escaped(piece))].some((text) => kept.includes(text))
  const gone = [...new Set(pieces)].filter((piece) => !isKept(piece))
  return { written, gone: gone.slice(0, 500) }
}

const longEnough = 400
const pieceLength = 120

/** From the middle of each long text, where it is unlike any other. */
function piecesOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => {
    const text = part.type === 'reasoning' ? '' : partText(part)
    if (text.length < longEnough) return []
    const start = Math.floor((text.length - pieceLength) / 2)
    return [text.slice(start, start + pieceLength)]
  })
}
