import { partsOf } from '../../log/message.ts'
import { secretForms } from '../../log/redaction/secret-forms.ts'
import { ref } from '../../log/ref.ts'
import { shownText } from '../../session/recall/shown-text.ts'
import { someNames } from '../store/session-name.ts'
import { counted } from '../terminal/numbers.ts'
import type { Context } from '../../log/context/context.ts'

/** What looks like a secret, and where; never the secret itself. */
export interface FoundSecrets {
  /** How many different ones, by what they look like. */
  kinds: ReadonlyMap<string, number>
  /** The refs of the parts that hold them; `summary` for the summary. */
  refs: readonly string[]
}

/** Looks for what looks like a secret in everything that a context shows. */
export function secretsIn({ items }: Pick<Context, 'items'>): FoundSecrets {
  const seen = new Map<string, string>()
  const refs = new Set<string>()
  const look = (text: string, place: string): void => {
    for (const [kind, form] of secretForms) {
      for (const [found] of text.matchAll(form)) {
        seen.set(found, seen.get(found) ?? kind)
        refs.add(place)
      }
    }
  }
  for (const item of items) {
    if (item.type === 'summary') look([item.summary, ...item.pins].join('\n'), 'summary')
    else if (item.type === 'message') {
      for (const [index, part] of partsOf(item.message).entries()) {
        look(shownText(part), ref(item.seq, index))
      }
    } else if (item.type === 'continuation') {
      for (const part of partsOf(item.continuation.message)) look(shownText(part), 'continuation')
    }
  }
  const kinds = new Map<string, number>()
  for (const kind of seen.values()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return { kinds, refs: [...refs] }
}

const mostNamed = 8

/** In one line; `undefined` if there are none. */
export function secretsText({ kinds, refs }: FoundSecrets): string | undefined {
  if (kinds.size === 0) return undefined
  const what = [...kinds].map(([kind, count]) => counted(count, kind))
  return `this holds what looks like secrets: ${what.join(', ')}, in ${someNames(refs, mostNamed)}`
}
