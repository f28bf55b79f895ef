import { textOf, type Fields } from '../../json/fields.ts'

/**
 * Texts that were typed while the model worked. Some versions record no message when such a text is
 * delivered in the middle of a turn; then the queue's own records are the only trace of what the
 * human said.
 */
export interface Queue {
  waiting: string[]
  /** Delivered, and not yet seen as a separate record. */
  taken: string[]
  /** Seen as a separate record before the queue reported its delivery. */
  seen: string[]
}

const most = 100

export function queueOperation(queue: Queue, { operation, content }: Fields): void {
  const text = textOf(content)
  switch (operation) {
    case 'enqueue':
      queue.waiting = [...queue.waiting, text ?? ''].slice(-most)
      return
    case 'remove':
      return deliver(queue)
    case 'dequeue':
      // A text that is sent between two turns gets its own record.
      queue.waiting.shift()
      return
    case 'popAll':
      queue.waiting = text === undefined ? [] : without(queue.waiting, text)
  }
}

function deliver(queue: Queue): void {
  const known = queue.waiting.find((text) => queue.seen.includes(text))
  if (known !== undefined) {
    queue.waiting = without(queue.waiting, known)
    queue.seen = without(queue.seen, known)
    return
  }
  const text = queue.waiting.shift()
  if (text !== undefined && text.trim() !== '') queue.taken.push(text)
}

/** Notes that a separate record contains this text. */
export function sawQueued(queue: Queue, text: string): void {
  if (queue.taken.length > most) return
  if (queue.taken.includes(text)) queue.taken = without(queue.taken, text)
  else if (queue.waiting.includes(text)) queue.seen = [...queue.seen, text].slice(-most)
}

function without(texts: readonly string[], text: string): string[] {
  const index = texts.indexOf(text)
  return index < 0 ? [...texts] : texts.toSpliced(index, 1)
}
