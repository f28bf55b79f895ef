import { messageText } from '../log/message.ts'
import type { Chronological } from '../log/order.ts'

/** How much of one message is asked for: what comes after it is mostly pasted. */
const mostOfMessage = 400

const fewestWords = 3
const longestSentence = 300

/** Sentences of the human, and how many of them stand word for word. */
export interface HumanWords {
  said: number
  held: number
}

/**
 * The sentences in which the human told the agent something, from the beginning of each message:
 * neither questions nor what is no sentence. There is no guess which of them are rules.
 */
export function humanSentences(log: Chronological): string[] {
  const sentences = new Set<string>()
  for (const entry of log) {
    if (entry.kind !== 'message' || entry.origin !== 'human') continue
    const own = messageText(entry.message).trim().slice(0, mostOfMessage)
    for (const line of own.split('\n')) {
      if (isPrinted(line.trim())) continue
      for (const sentence of line.split(/(?<=[.!?。！？])\s+/)) {
        if (isTold(sentence.trim())) sentences.add(plain(sentence))
      }
    }
  }
  return [...sentences]
}

/** A heading, or a line that a program printed: with a time, a place in a file or many fields. */
function isPrinted(line: string): boolean {
  const begin = line.slice(0, mostOfMessage)
  const fields = begin.match(/(?:^|\s)\w{1,40}=\S/g) ?? []
  return (
    /^#{1,6} |^\S{1,100}\.\w{1,5}:\d+:|(?:^|\s)\d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?:\s|$)/.test(begin) ||
    fields.length > 3
  )
}

function isTold(sentence: string): boolean {
  if (sentence.length > longestSentence || /[?？]$/.test(sentence)) return false
  // A line of code, of a log or of a table.
  if (!/^[\p{L}"'“‘(*`-]/u.test(sentence) || /[{};|]\s*$|^\s*```/.test(sentence)) return false
  const words = sentence.match(/\p{L}+/gu) ?? []
  const wide = sentence.match(/[^\p{ASCII}]/gu) ?? []
  return words.length >= fewestWords || wide.length >= fewestWords * 2
}

/** How many of them a text holds, however its lines are quoted and broken. */
export function humanWordsIn(sentences: readonly string[], kept: string): HumanWords {
  const text = plain(kept.replace(/^\s*(?:> ?)+/gm, ''))
  return {
    said: sentences.length,
    held: sentences.filter((sentence) => text.includes(sentence)).length,
  }
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
