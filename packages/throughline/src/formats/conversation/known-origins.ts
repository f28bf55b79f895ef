import { textParts as claudeCodeParts } from '../claude-code/origin.ts'
import { textParts as codexParts } from '../codex/origin.ts'
import { textParts as openhandsParts } from '../openhands/origin.ts'
import type { OriginPart } from './user-messages.ts'

/**
 * A text in the user's place of a request, taken apart into what the human said and what a
 * harness put beside it, where it is not known which harness made the request.
 */
export function textParts(text: string): OriginPart[] {
  return claudeCodeParts(text, false)
    .flatMap((part) => stillHuman(part, (words) => codexParts(words, false)))
    .flatMap((part) => stillHuman(part, openhandsParts))
}

function stillHuman(part: OriginPart, read: (text: string) => OriginPart[]): OriginPart[] {
  return part.origin === 'human' && part.part.type === 'text' ? read(part.part.text) : [part]
}
