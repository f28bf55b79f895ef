import { jsonOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { mediaPart } from './media.ts'
import { textParts } from './origin.ts'
import { refusalWords } from './refusal.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** A user record's content: the results of tools, and what else stands beside them. */
export interface UserContent {
  results: Fields[]
  parts: OriginPart[]
}

export function userContent(content: unknown, harness: boolean): UserContent {
  if (typeof content === 'string') return { results: [], parts: textParts(content, harness) }
  const results: Fields[] = []
  const parts: OriginPart[] = []
  for (const block of objectsOf(content)) {
    if (block['type'] === 'tool_result') {
      results.push(block)
      const words = refusalWords(block)
      if (words) parts.push({ origin: 'human', part: { type: 'text', text: words } })
    } else for (const part of blockParts(block, harness)) parts.push(part)
  }
  return { results, parts }
}

function blockParts(block: Fields, harness: boolean): OriginPart[] {
  const origin = harness ? 'harness' : 'human'
  switch (block['type']) {
    case 'text':
      return textParts(textOf(block['text']) ?? '', harness)
    case 'image':
    case 'document': {
      const part = mediaPart(block)
      return part ? [{ origin, part }] : []
    }
    default: {
      const text = jsonOf(block)
      return text === undefined ? [] : [{ origin: 'harness', part: { type: 'text', text } }]
    }
  }
}
