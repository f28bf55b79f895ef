import { quotations } from './own-word.ts'
import { unquoted } from './sentences.ts'

/** The words of a human message, and what they only hand on in it. */
interface Divided {
  own: string
  /** The words of others: a document in tags, a mail, the output of a program. */
  handedOn: string
}

/** A part of the human's own prompt is often in tags, too. */
const ownTags =
  /rule|instruct|constraint|require|guide|task|prompt|goal|note|convention|prefer|style|format|context|quest/i

const opening = /^\s*<([A-Za-z][\w-]{0,39})(?: [^<>\n]*)?>\s*$/

/** Who speaks next, at the end of a line: “Mail from the customer:”, “Here is what the linter prints:”. */
const introduction =
  /\b(?:(?:e-?)?mail|message|ticket|issue|comment|review|document|page|log|output|error|reply)s?\b(?: (?:of|from|by|in|to)\b[^.!?:]{0,50})?:\s*$|\b(?:says|said|prints|printed|wrote|writes|reads|reports|sent|returned)\b[^.!?:]{0,20}:\s*$/i
/** “The message must read:” asks for something. */
const demanding =
  /\b(?:your?|must|should|please|always|never|not|use|write|follow|make|keep|rules?|i (?:want|say|said|wrote))\b/i

/** “Dear Ms Rossi,”, “Prezado Sr. Moacir,”: who writes to the agent greets it at the beginning. */
const salutation = /^\p{Lu}\p{L}*(?: [\p{L}.]+){0,3} \p{Lu}[\p{L}'’-]*,$/u

const overLines = new RegExp(`(?<![^\\s(:])(?:${quotations.source})(?![\\p{L}\\d])`, 'gu')

/**
 * Sets apart what the human hands on: a quotation of several lines, and what follows an introduction
 * or the greeting of a letter, up to the next blank line; where a blank line follows at once, up to
 * the last paragraph.
 */
export function withoutHandedOn(words: string): Divided {
  const own: string[] = []
  const handedOn: string[] = []
  const lines = unquoted(words)
    .replace(overLines, (quotation) => {
      if (!quotation.includes('\n') || quotation.includes('```')) return quotation
      handedOn.push(quotation)
      return ''
    })
    .split('\n')
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const end = endOfElement(lines, at) ?? endOfIntroduced(lines, at)
    own.push(line)
    handedOn.push(...lines.slice(at + 1, end ?? at + 1))
    at = end ?? at + 1
  }
  return { own: own.join('\n'), handedOn: handedOn.join('\n') }
}

/** The line that closes the element which this line opens. */
function endOfElement(lines: readonly string[], at: number): number | undefined {
  const name = opening.exec(lines[at] ?? '')?.[1]
  if (name === undefined || ownTags.test(name)) return undefined
  const close = lines.findIndex((line, index) => index > at && line.trim() === `</${name}>`)
  return close === -1 ? undefined : close
}

function endOfIntroduced(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? ''
  const isBlank = (index: number): boolean => (lines[index] ?? '').trim() === ''
  const [said = ''] = line.split(/[.!?] /).slice(-1)
  const isLetter = salutation.test(line) && at > 1 && isBlank(at - 1)
  if (!isLetter && (!introduction.test(said) || demanding.test(said))) return undefined
  const first = lines.findIndex((_, index) => index > at && !isBlank(index))
  if (first === -1) return undefined
  const next = lines.findIndex((_, index) => index > first && isBlank(index))
  if (next === -1) return lines.length
  if (first === at + 1) return next
  const last = lines.findLastIndex(
    (_, index) => index > next && isBlank(index) && !isBlank(index + 1),
  )
  return last === -1 ? next : last
}
