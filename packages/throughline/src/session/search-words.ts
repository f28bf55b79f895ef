import { partsOf, type Part } from '../log/message.ts'
import { partText } from '../log/message-text.ts'
import type { Entry } from '../log/entry.ts'

/**
 * The words of a text as a search sees them: letters and digits, in small letters, without
 * accents. Scripts that write no spaces give one word for each character. Every store
 * searches these same words, so that all of them find the same.
 */
export function searchWords(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return plain.replace(unspaced, ' $& ').match(/[\p{L}\p{N}]+/gu) ?? []
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

/** What a question looks for: each of its words is a phrase, such as the parts of a path. */
export function searchPhrases(question: string): string[][] {
  return question
    .split(/\s+/)
    .map(searchWords)
    .filter((phrase) => phrase.length > 0)
}

/** All that a search finds an entry by; '' for what is no message. */
export function searchText(entry: Entry): string {
  if (entry.kind !== 'message') return ''
  return partsOf(entry.message).map(searchedText).join('\n')
}

function searchedText(part: Part): string {
  if (part.type === 'tool-call') return `${part.toolName}\n${JSON.stringify(part.input) ?? ''}`
  if (part.type === 'tool-result') return `${part.toolName}\n${partText(part)}`
  if (part.type === 'file') return part.filename ?? ''
  return partText(part)
}
