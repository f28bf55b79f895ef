import { partsOf, type Message } from '../../log/message.ts'
import { partText } from '../../log/message-text.ts'
import type { Facts } from '../../facts/facts.ts'

/** What remains of a session in a context, found by searching for it. */
export interface Retained {
  /** The human's standing rules, word for word. */
  rules: Share
  /** The files that the session changed, by name. */
  files: Share
  /** Whether the human's latest request is there word for word; null if there was none. */
  latestRequest: boolean | null
}

interface Share {
  kept: number
  of: number
}

/** Searches for everything that must not be lost. */
export function retainedIn(messages: readonly Message[], facts: Facts): Retained {
  const text = messages.map(visibleText).join('\n')
  const rules = facts.rules.filter(({ retractedBy }) => retractedBy === undefined)
  const files = [...facts.files.values()].filter(({ state }) => state !== 'read')
  const latest = facts.requests.at(-1)?.text.trim()
  return {
    rules: shareOf(rules, (rule) => text.includes(rule.text.trim())),
    files: shareOf(files, (file) => namesPath(text, file.path)),
    latestRequest: latest === undefined ? null : text.includes(latest),
  }
}

function shareOf<Item>(items: readonly Item[], stands: (item: Item) => boolean): Share {
  return { kept: items.filter(stands).length, of: items.length }
}

function visibleText(message: Message): string {
  return partsOf(message)
    .map((part) => (part.type === 'tool-call' ? inputStrings(part.input) : partText(part)))
    .join('\n')
}

// Deeper than any tool's input.
const deepest = 8

/** The texts of an input unescaped, not as JSON. */
function inputStrings(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth >= deepest) return ''
  return Object.values(value)
    .map((item) => inputStrings(item, depth + 1))
    .join('\n')
}

/** Whether the path occurs as a whole, not as part of another name. */
function namesPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + path.length] ?? ''
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true
  }
  return false
}

/** What is still in the context, in one line. */
export function retainedText({ rules, files, latestRequest }: Retained): string {
  const parts = [
    rules.of === 0 ? 'no rules were found' : `${rules.kept}/${rules.of} rules word for word`,
    files.of === 0 ? 'no files were changed' : `${files.kept}/${files.of} changed files named`,
    latestRequest === null
      ? 'nothing was requested'
      : latestRequest
        ? 'the latest request'
        : 'not the whole latest request',
  ]
  return parts.join(', ')
}
