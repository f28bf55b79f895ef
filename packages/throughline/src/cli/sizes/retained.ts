import { standingIn, visibleText } from '../../report/standing.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Message } from '../../log/message.ts'

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
  const latest = facts.requests.slice(-1)
  const { rules, files, requests } = standingIn(visibleText(messages), {
    ...facts,
    requests: latest,
  })
  return {
    rules: shareOf(rules.filter(({ retractedBy }) => retractedBy === undefined)),
    files: shareOf(files),
    latestRequest: requests[0] ? requests[0].in === 'whole' : null,
  }
}

function shareOf(items: readonly { in: boolean }[]): Share {
  return { kept: items.filter((item) => item.in).length, of: items.length }
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
