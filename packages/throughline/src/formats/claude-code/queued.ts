import { textOf, type Fields } from '../../json/fields.ts'

/**
 * Texts that were typed while the model worked. Some versions record no message when
 * such a text is handed over in the middle of a turn: then the queue's own records are
 * all that is left of what the human said.
 */
export interface Queued {
  waiting: string[]
  /** Handed over, and not seen as a record of its own so far. */
  taken: string[]
  /** Seen as a record of its own before the queue said that it was handed over. */
  seen: string[]
}

const most = 100

export function newQueued(): Queued {
  return { waiting: [], taken: [], seen: [] }
}

/** Follows one `queue-operation` record. */
export function queueOperation(queued: Queued, record: Fields): void {
  const content = textOf(record['content'])
  switch (record['operation']) {
    case 'enqueue':
      queued.waiting = [...queued.waiting, content ?? ''].slice(-most)
      return
    case 'remove':
      return handOver(queued)
    case 'dequeue':
      // A text that is sent between two turns gets a record of its own.
      queued.waiting.shift()
      return
    case 'popAll':
      queued.waiting = content === undefined ? [] : without(queued.waiting, content)
  }
}

function handOver(queued: Queued): void {
  const known = queued.waiting.find((text) => queued.seen.includes(text))
  if (known !== undefined) {
    queued.waiting = without(queued.waiting, known)
    queued.seen = without(queued.seen, known)
    return
  }
  const text = queued.waiting.shift()
  if (text !== undefined && text.trim() !== '') queued.taken.push(text)
}

/** Notes that a record of its own carries this text. */
export function sawQueued(queued: Queued, text: string): void {
  if (queued.taken.length > most) return
  if (queued.taken.includes(text)) queued.taken = without(queued.taken, text)
  else if (queued.waiting.includes(text)) queued.seen = [...queued.seen, text].slice(-most)
}

/** The texts that no record of its own will carry any more. */
export function takeQueued(queued: Queued): string[] {
  if (queued.taken.length === 0) return []
  const { taken } = queued
  queued.taken = []
  return taken
}

function without(texts: readonly string[], text: string): string[] {
  const index = texts.indexOf(text)
  return index < 0 ? [...texts] : texts.toSpliced(index, 1)
}
