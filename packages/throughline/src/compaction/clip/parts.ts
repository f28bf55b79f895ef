import { partsOf } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import type { MessageItem } from '../../log/context-item.ts'
import type { Ref } from '../../log/entry.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { Unit } from '../../log/steps.ts'

/** A part of a context and the ref that reads it back. */
export interface Located<P extends Part = Part> {
  ref: Ref
  part: P
  item: MessageItem
}

/** The parts of a unit's messages. */
export function locatedParts(unit: Unit): Located[] {
  return unit.items.flatMap((item) =>
    item.type === 'message'
      ? partsOf(item.message).map((part, index) => ({ ref: ref(item.seq, index), part, item }))
      : [],
  )
}

export function isResult(located: Located): located is Located<ToolResultPart> {
  return located.part.type === 'tool-result'
}

export function isCall(located: Located): located is Located<ToolCallPart> {
  return located.part.type === 'tool-call'
}

/** Whether this part has already been replaced. */
export function isReplaced({ ref, item }: Located): boolean {
  return item.replacements?.some((replacement) => replacement.ref === ref) ?? false
}
