import { madeParts } from '../conversation/user-messages.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

const opening = /^\s*<(user_input|user_command)\b[^<>]{0,200}>/
const noticeStart = '<mode_notice>'
const noticeEnd = '</mode_notice>'

/** Whether a text holds what the human typed, as Cline hands it on. */
export function isWrapped(text: string): boolean {
  return opening.test(behindNotices(text))
}

/**
 * A text in the user's place of a session in which Cline marks what the human typed: its first
 * element, up to its first end, for the files that follow may hold another one.
 */
export function typedParts(text: string): OriginPart[] {
  const wrapped = behindNotices(text)
  const [tag = '', name = ''] = opening.exec(wrapped) ?? []
  if (tag === '') return text.trim() === '' ? [] : madeParts(text)
  const closing = `</${name}>`
  const end = wrapped.indexOf(closing, tag.length)
  const inner = wrapped.slice(tag.length, end < 0 ? undefined : end)
  const rest = end < 0 ? '' : wrapped.slice(end + closing.length)
  const typed = behindNotices(inner)
  return [
    ...notices(text.slice(0, text.length - wrapped.length)),
    ...notices(inner.slice(0, inner.length - typed.length)),
    ...(typed.startsWith(teamUpdates) ? madeParts(typed) : said(typed)),
    ...notices(rest),
  ]
}

/** What Cline says in the human's place when those to whom it gave work are done. */
const teamUpdates = 'System-delivered teammate async run updates:'

function said(text: string): OriginPart[] {
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}

function notices(text: string): OriginPart[] {
  return text.trim() === '' ? [] : madeParts(text)
}

/** The text behind the notices of a changed mode that it begins with. */
function behindNotices(text: string): string {
  let rest = text
  while (rest.trimStart().startsWith(noticeStart)) {
    const end = rest.indexOf(noticeEnd)
    if (end < 0) return rest
    rest = rest.slice(end + noticeEnd.length).replace(/^\n/, '')
  }
  return rest
}
