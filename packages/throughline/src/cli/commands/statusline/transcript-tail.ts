import { countOf, fieldsOf, parsedJson, textOf, type Fields } from '../../../json/fields.ts'
import { usedTokens, type Compacted } from './payload.ts'

// An import would load everything that this module of Node exports, such as its streams.
const { closeSync, fstatSync, openSync, readSync } = process.getBuiltinModule('node:fs')

/** What the end of a Claude Code session tells. */
export interface Tail {
  /** Unknown right after a compaction. */
  tokens: number | undefined
  model: string | undefined
  compacted: Compacted | undefined
}

// Enough for the newest answer, and for the newest compaction of nearly every session.
const forUsage = 512 * 1024
const forCompaction = 4 * 1024 * 1024

/** Reads the end of a session's file; nothing of what is no such file. */
export function transcriptTail(file: string): Tail | undefined {
  try {
    const handle = openSync(file, 'r')
    try {
      const stat = fstatSync(handle)
      return stat.isFile() ? tailOf(handle, stat.size) : undefined
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

function tailOf(handle: number, size: number): Tail {
  const near = lastBytes(handle, size, forUsage)
  const boundary = boundaryIn(near)
  const lines = near
    .subarray(Math.max(boundary?.end ?? 0, 0))
    .toString('utf8')
    .split('\n')
  const answer = lines.map(recordOf).findLast((record) => record && answerOf(record))
  const message = answer && answerOf(answer)
  const whole =
    boundary ?? (size > forUsage ? boundaryIn(lastBytes(handle, size, forCompaction)) : undefined)
  return {
    tokens: message && usedTokens(fieldsOf(message['usage'])),
    model: message && textOf(message['model']),
    compacted: whole?.compacted,
  }
}

function lastBytes(handle: number, size: number, most: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.min(size, most))
  let read = 0
  while (read < bytes.length) {
    const count = readSync(handle, bytes, read, bytes.length - read, size - bytes.length + read)
    if (count === 0) break
    read += count
  }
  return bytes.subarray(0, read)
}

interface Boundary {
  compacted: Compacted
  end: number
}

const mark = '"subtype":"compact_boundary"'

/** The newest compaction; text that only quotes such a line is none. */
function boundaryIn(bytes: Buffer): Boundary | undefined {
  for (let at = bytes.lastIndexOf(mark); at >= 0; at = bytes.lastIndexOf(mark, at - 1)) {
    const start = bytes.lastIndexOf(10, at) + 1
    const next = bytes.indexOf(10, at)
    const end = next < 0 ? bytes.length : next
    const record = recordOf(bytes.toString('utf8', start, end))
    if (record?.['subtype'] === 'compact_boundary') {
      const from = countOf(fieldsOf(record['compactMetadata'])?.['preTokens'])
      return { compacted: { at: Date.parse(textOf(record['timestamp']) ?? ''), from }, end }
    }
    if (at === 0) break
  }
  return undefined
}

function recordOf(line: string): Fields | undefined {
  return line.startsWith('{') ? fieldsOf(parsedJson(line)) : undefined
}

/** The message of an answer that a provider counted, of the session itself and not of a subagent. */
function answerOf(record: Fields): Fields | undefined {
  if (record['type'] !== 'assistant' || record['isSidechain'] === true) return undefined
  const message = fieldsOf(record['message'])
  const usage = fieldsOf(message?.['usage'])
  return usage && (usedTokens(usage) ?? 0) > 0 ? message : undefined
}
