import { changeStrings } from './change-strings.ts'
import { redacted } from './secret.ts'
import { parseRef } from '../ref.ts'
import type { Continuation, Entry, Ref, Replacement } from '../entry.ts'

/** The entry with what stands elsewhere in the place of the part, or pins it, emptied. */
export function blankStandIns(entry: Entry, ref: string): Entry {
  switch (entry.kind) {
    case 'prune':
      return { ...entry, replacements: blank(entry.replacements, ref) }
    case 'checkpoint':
      return {
        ...entry,
        tail: entry.tail.map((item) =>
          item.type === 'entry' && item.replacements
            ? { ...item, replacements: blank(item.replacements, ref) }
            : item,
        ),
        continuation: entry.continuation && blankContinuation(entry.continuation, ref),
      }
    case 'pin':
      return names(entry.ref, ref) ? { ...entry, text: redacted } : entry
    default:
      return entry
  }
}

function blank(replacements: readonly Replacement[], ref: string): Replacement[] {
  return replacements.map((replacement) => {
    if (!names(replacement.ref, ref)) return replacement
    if (!('input' in replacement)) return { ...replacement, text: redacted }
    return { ...replacement, ...changeStrings({ input: replacement.input }, () => redacted) }
  })
}

/** A continuation may repeat a human message: as a whole it goes with it. */
function blankContinuation(continuation: Continuation, ref: string): Continuation {
  if (continuation.of === undefined || continuation.of !== parseRef(ref)?.seq) return continuation
  const { message, replacements, ...others } = continuation
  return {
    ...others,
    message: { ...message, content: redacted },
    ...(replacements && { replacements: blank(replacements, ref) }),
  }
}

/** Whether `ref` names `part`, or the whole message that it is in. */
function names(part: Ref | undefined, ref: string): boolean {
  return part !== undefined && (part === ref || part.startsWith(`${ref}.`))
}
