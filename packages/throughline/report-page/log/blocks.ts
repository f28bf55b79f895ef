import type { Seq } from '../../src/log/entry.ts'
import type { LoggedEntry, LoggedPart } from '../../src/report/model.ts'

type ResultPart = Extract<LoggedPart, { type: 'result' }>

/** One thing in the log: a message, or a step with the results of its calls in their places. */
export interface LogBlock {
  entry: LoggedEntry
  /** The entries that brought its results. */
  brought: LoggedEntry[]
  results: ReadonlyMap<string, { part: ResultPart; entry: LoggedEntry }>
}

/** Puts each result under its call; what has no call here stays a thing of its own. */
export function blocksOf(entries: readonly LoggedEntry[]): LogBlock[] {
  const blocks: LogBlock[] = []
  for (const entry of entries) {
    const step = blocks.at(-1)
    if (entry.what === 'tool' && step?.entry.what === 'model' && answers(step.entry, entry)) {
      step.brought.push(entry)
      const results = new Map(step.results)
      for (const part of entry.parts)
        if (part.type === 'result') results.set(part.id, { part, entry })
      step.results = results
    } else {
      blocks.push({ entry, brought: [], results: new Map() })
    }
  }
  return blocks
}

function answers(step: LoggedEntry, results: LoggedEntry): boolean {
  const calls = new Set(step.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])))
  return results.parts.every((part) => part.type !== 'result' || calls.has(part.id))
}

export function holds({ entry, brought }: LogBlock, seq: Seq): boolean {
  return entry.seq === seq || brought.some((other) => other.seq === seq)
}

export interface Target {
  seq: Seq
  /** Changes with every jump, so that the same entry can be jumped to again. */
  jump: number
  words?: string | undefined
}
