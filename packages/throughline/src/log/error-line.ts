import { fieldsOf, textOf } from '../json/fields.ts'
import { redacted } from './redaction/secret.ts'
import { sanitizeLine } from './sanitize.ts'
import { secretForms } from './redaction/secret-forms.ts'

// A provider's error may contain the whole request again.
const longestRead = 4_000
const longestLine = 500

/**
 * What an error says, in one line that may be kept and shown: a provider's JSON is its message alone,
 * a page is only named, and what looks like a key is gone.
 * @example
 * errorLine(new Error('401 {"error":{"message":"Incorrect API key provided: sk-a1b2c3…"}}'))
 * // '401 Incorrect API key provided: [redacted]'
 */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message : error
  if (typeof text !== 'string') return 'the thrown value is not an error'
  const said = sanitizeLine(withoutPage(messageIn(text))).slice(0, longestRead)
  return withoutKeys(said).slice(0, longestLine)
}

/** The message inside JSON, with the text around it. */
function messageIn(text: string): string {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}') + 1
  if (start === -1 || end <= start) return text
  try {
    const body = fieldsOf(JSON.parse(text.slice(start, end)))
    const error = body?.['error']
    const message =
      textOf(fieldsOf(error)?.['message']) ?? textOf(error) ?? textOf(body?.['message'])
    return message === undefined ? text : `${text.slice(0, start)}${message}${text.slice(end)}`
  } catch {
    return text
  }
}

function withoutPage(text: string): string {
  const page = text.search(/<(?:!doctype|html|head|body)\b/i)
  return page === -1 ? text : `${text.slice(0, page)}an HTML page`
}

// A server of one's own may have keys of any form, and say which one it does not take.
const namedKey =
  /\b(api[ _-]?key|key|token|bearer|authorization|password)\b(["']?[^\S\n]{0,3}(?:provided|is|was)?[^\S\n]{0,3}[:=]?[^\S\n]{0,3}["'`]?)(?=[\w*+/.-]{0,200}\d)[\w*+/.-]{12,200}/gi

function withoutKeys(line: string): string {
  let safe = line
  for (const [, form] of secretForms) safe = safe.replaceAll(form, redacted)
  return safe.replaceAll(namedKey, `$1$2${redacted}`)
}
