import { partsOf } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { shownText } from '../../session/recall/shown-text.ts'
import { counted } from '../terminal/numbers.ts'
import type { Context } from '../../log/context/context.ts'

/** What looks like a secret, and where; never the secret itself. */
export interface FoundSecrets {
  /** How many different ones, by what they look like. */
  kinds: ReadonlyMap<string, number>
  /** The refs of the parts that hold them; `summary` for the summary. */
  refs: readonly string[]
}

// Forms that are known by their beginning; none of them needs more than one look at each character.
const forms: readonly (readonly [kind: string, form: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g],
  ['AWS key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})\b/g],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,64}/g],
  ['Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,200}/g],
  ['API key', /\bsk-(?!ant-)(?:proj-|svcacct-|or-v1-|live-)?[A-Za-z0-9_-]{24,200}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,120}\b/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{12,200}/g],
  ['Google key', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,60}\b/g],
  [
    'JSON Web Token',
    /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}/g,
  ],
  [
    'password in an address',
    /\b[a-z][a-z0-9+]{1,15}:\/\/[^\s/:@'"<>$*{]{1,80}:[^\s/@'"<>$*{]{4,200}@/gi,
  ],
  [
    'assigned secret',
    /\b[A-Z][A-Z0-9_]{0,60}(?:SECRET|TOKEN|PASSWORD|API_?KEY|PRIVATE_KEY)["']?\s{0,3}[=:]\s{0,3}["']?(?=[A-Za-z_+/-]{0,200}\d)[A-Za-z0-9_+/-]{16,200}/g,
  ],
]

/** Looks for what looks like a secret in everything that a context shows. */
export function secretsIn({ items }: Pick<Context, 'items'>): FoundSecrets {
  const seen = new Map<string, string>()
  const refs = new Set<string>()
  const look = (text: string, place: string): void => {
    for (const [kind, form] of forms) {
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
  const more = refs.length > mostNamed ? ` and ${refs.length - mostNamed} more` : ''
  return `this holds what looks like secrets: ${what.join(', ')}, in ${refs.slice(0, mostNamed).join(', ')}${more}`
}
