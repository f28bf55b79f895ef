import type { Message } from 'throughline'

/** Microseconds of processor time of all threads: garbage is collected by others than this one. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * Clears away what was made just now, before something is measured. A full collection would also
 * throw away what the compiler has learned, which a process that goes on with its work keeps.
 */
export async function collectYoung(): Promise<void> {
  await globalThis.gc?.({ type: 'minor' })
}

/** What any code takes at least that does something with each of these messages, in microseconds. */
export interface Limits {
  /** Every character looked at once, in JavaScript. */
  read: number
  /** Every byte copied once, as fast as memory goes. */
  copied: number
  /** Every message looked at once, none of its text. */
  visited: number
}

// One time alone is too short for the clock.
const times = 5

/** Measures these limits for messages that were made just now. */
export async function limitsOf(messages: readonly Message[]): Promise<Limits> {
  const texts = textsIn(messages)
  const bytes = Buffer.from(texts.join('\n'))
  const target = Buffer.alloc(bytes.length)
  return {
    read: await each(() => texts.reduce((sum, text) => sum + sumOf(text), 0)),
    copied: await each(() => bytes.copy(target)),
    visited: await each(() =>
      messages.reduce((sum, { role, content }) => sum + role.length + content.length, 0),
    ),
  }
}

/** Whatever is computed is kept: nothing may be left out because nobody asks for it. */
const kept: number[] = []

async function each(work: () => number): Promise<number> {
  const took = await processorTime(() => {
    for (let time = 0; time < times; time++) kept.push(work())
  })
  kept.length = 0
  return took / times
}

function sumOf(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
  return sum
}

/** All texts in a value, in order. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
