import { createHash } from 'node:crypto'
import { outputText, partsOf, type ToolCallPart } from '../../../log/message.ts'
import { readCall } from '../../../facts/lenses/read-call.ts'
import { isOwn } from '../../../session/recall/answer.ts'
import { passageOf, type Passage } from '../../../session/recall/passage.ts'
import { safeEnd } from '../../../compaction/clip/clip.ts'
import type { ToolLens } from '../../../facts/lens.ts'
import type { Entry, EntryOf, Origin } from '../../../log/entry.ts'

/** A passage of a session as the index holds it. */
export interface IndexedPassage {
  seq: number
  ref: string
  at: number
  said: Said
  tool: string | undefined
  /** The files that the call works on. */
  paths: readonly string[]
  text: string
}

export type Said = 'you' | 'agent' | 'thinking' | 'call' | 'result' | 'client' | 'summary'

// Longer texts are found in pieces: a hit is shown by a few lines of one.
const longest = 32_000

/** The passages of a session's log, in order, without questions to our own search and their answers. */
export function* indexedPassages(
  log: readonly Entry[],
  lenses: readonly ToolLens[],
): Generator<IndexedPassage> {
  const calls = new Map<string, readonly string[]>()
  for (const entry of log) {
    if (entry.kind === 'checkpoint') {
      yield* pieces(entry.seq, `${entry.seq}`, entry.at, 'summary', undefined, [], entry.summary)
    }
    if (entry.kind !== 'message') continue
    for (const [index, part] of partsOf(entry.message).entries()) {
      if (isOwn(part)) continue
      const passage = passageOf(entry, part, index)
      if (part.type === 'tool-call') calls.set(part.toolCallId, pathsOf(part, lenses))
      if (passage.length === 0 && passage.tool === undefined) continue
      const paths = 'toolCallId' in part ? (calls.get(part.toolCallId) ?? []) : []
      const { seq, at } = entry
      yield* pieces(seq, passage.ref, at, saidIn(entry, passage), passage.tool, paths, passage.text)
    }
  }
}

function* pieces(
  seq: number,
  ref: string,
  at: number,
  said: Said,
  tool: string | undefined,
  paths: readonly string[],
  text: string,
): Generator<IndexedPassage> {
  let rest = text
  do {
    const end = rest.length <= longest ? rest.length : lineEnd(rest)
    yield { seq, ref, at, said, tool, paths, text: rest.slice(0, end) }
    rest = rest.slice(end)
  } while (rest !== '')
}

function lineEnd(text: string): number {
  const line = text.lastIndexOf('\n', longest)
  return line > longest / 2 ? line + 1 : Math.max(safeEnd(text, longest), 1)
}

function pathsOf({ toolName: tool, input }: ToolCallPart, lenses: readonly ToolLens[]): string[] {
  const effects = readCall({ tool, input, output: undefined, failed: false }, lenses)
  const paths = effects.flatMap((effect) => {
    if (effect.type === 'command' || effect.type === 'directory' || !('path' in effect)) return []
    const both = effect.type === 'rename' ? [effect.path, effect.to] : [effect.path]
    return both.filter((path) => path !== undefined)
  })
  return [...new Set(paths)]
}

const saidBy: Readonly<Record<Origin, Said>> = {
  human: 'you',
  model: 'agent',
  tool: 'result',
  harness: 'client',
  synthetic: 'client',
}

function saidIn({ origin }: EntryOf<'message'>, { what }: Passage): Said {
  if (what === 'call' || what === 'result') return what
  return what === 'reasoning' ? 'thinking' : saidBy[origin]
}

// The newest entries of a session that is being written may still change.
const unsettled = 20

/** How many entries of a log are certain not to change anymore, and a digest of them. */
export function settledPart(log: readonly Entry[], atMost = Infinity): Settled {
  const settled = Math.max(0, Math.min(log.length - unsettled, atMost))
  const hash = createHash('sha1')
  for (const entry of log.slice(0, settled)) {
    hash.update(`${entry.kind} ${entry.at}\n`)
    if (entry.kind !== 'message') continue
    for (const part of partsOf(entry.message)) {
      const text = part.type === 'tool-result' ? outputText(part.output) : textIn(part)
      hash.update(`${part.type} ${text.length} ${text.slice(0, 200)}\n`)
    }
  }
  return { settled, digest: hash.digest('hex') }
}

interface Settled {
  settled: number
  digest: string
}

function textIn(part: object): string {
  return 'text' in part && typeof part.text === 'string' ? part.text : ''
}
