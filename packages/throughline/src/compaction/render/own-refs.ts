import { carriedLabel, rulesHeading } from '../../facts/labels.ts'
import { headingKey } from '../../facts/heading-key.ts'

const ref = String.raw`\d{1,15}(?:\.\d{1,9})?`

/** The replacement of a ref; `undefined` if it must be removed. */
type ChangeRef = (ref: string) => string | undefined

const clipNotes = new RegExp(
  String.raw`\[… left out here; the whole is ref (${ref})((?:, read it with [\w.:/-]{1,64})?) …\]`,
  'g',
)
const placeholders = new RegExp(
  String.raw`(<tool-output-compacted tool="[\w.:/-]{0,64}" bytes="\d{1,15}") ref="(${ref})"((?: read-with="[\w.:/-]{1,64}")?) \/>`,
  'g',
)

const leftOut =
  /^(\[\d{1,15} (?:step|message)s? (?:is|are) left out here), entries (\d{1,15})(–\d{1,15});/

/**
 * A text with other refs in the notes and placeholders that stand in it where something was
 * clipped, pruned or left out. With `only`, just that ref is changed.
 */
export function mapRefNotes(text: string, change: ChangeRef, only?: string): string {
  return text
    .replace(leftOut, (whole: string, begin: string, from: string, to: string) => {
      if (only !== undefined) return whole
      const named = change(from)
      return named === undefined ? `${begin};` : `${begin}, entries ${named}${to};`
    })
    .replace(clipNotes, (whole: string, found: string, reader: string) => {
      if (only !== undefined && found !== only) return whole
      const to = change(found)
      if (to === undefined) return '[… left out here …]'
      return `[… left out here; the whole is ref ${to}${reader} …]`
    })
    .replace(placeholders, (whole: string, begin: string, found: string, reader: string) => {
      if (only !== undefined && found !== only) return whole
      const to = change(found)
      return to === undefined ? `${begin} />` : `${begin} ref="${to}"${reader} />`
    })
}

const heads = new RegExp(
  String.raw`^(The session began with|The latest request|The request of the human|Latest request|Still open, as the assistant's list last said|- Taken back) \[(${ref})\](?=[:,])`,
)
const stateLine = /^- (?:created|edited|renamed|deleted): /
const stateRef = new RegExp(String.raw` \[(${ref})\](?=, |$)`, 'g')
const fileRef = new RegExp(
  String.raw`^(- .{1,600}? \((?:created|edited|renamed|read)[^()]{0,200}\)) \[(${ref})\](?=:)`,
)
/** A statement, and a message of the human. */
const toldRef = new RegExp(String.raw`^- \[(${ref})\](?: \(the human said no \[(${ref})\]\))?(?= )`)
const saidRef = new RegExp(
  String.raw`^(- (?:Next, as the assistant said|Asked or offered last)) \[(${ref})\](?=:)`,
)
const lastRef = new RegExp(String.raw` \[(${ref})\]$`)

/**
 * A summary with other refs in the lines that code wrote: a model's lines carry none, and what
 * the human said is quoted or stands before the ref at the end of its line.
 */
export function mapOwnRefs(summary: string, change: ChangeRef): string {
  const put = (before: string, found: string): string => {
    const to = change(found)
    return to === undefined ? before : `${before} [${to}]`
  }
  const lines = mapRefNotes(summary, change).split('\n')
  let carried = false
  let said = false
  let rules = false
  return lines
    .map((line, index) => {
      const heading = /^## (.*)$/.exec(line)?.[1]
      if (heading !== undefined) {
        said = heading === 'Pinned'
        rules = headingKey(heading) === headingKey(rulesHeading)
      }
      if (line === carriedLabel) carried = true
      const quoted = line.startsWith('>')
      if (!quoted && line !== carriedLabel) carried = false
      // The human's words and pins are theirs.
      if (said || (quoted && !carried)) return line
      if (line.startsWith('Latest request [')) said = true
      const mark = quoted ? '> ' : ''
      const own = line.slice(mark.length)
      const ends = rules ? endsRule(lines[index + 1] ?? '') : own.startsWith('- ')
      return mark + changedLine(own, ends, put)
    })
    .join('\n')
}

/** Whether the next line begins something else: a rule of several lines has its ref at its end. */
function endsRule(next: string): boolean {
  return next === '' || /^(?:- |#|>|\(| {2}Later, )/.test(next)
}

function changedLine(
  line: string,
  ends: boolean,
  put: (before: string, ref: string) => string,
): string {
  const told = line.replace(toldRef, (_, at: string, no: string | undefined) => {
    const disputed = no === undefined ? '' : ` (${put('the human said no', no)})`
    return `${put('-', at)}${disputed}`
  })
  // What follows is theirs who said it.
  if (told !== line) return told
  const headed = line
    .replace(saidRef, (_, head: string, found: string) => put(head, found))
    .replace(heads, (_, head: string, found: string) => put(head, found))
  if (stateLine.test(headed)) {
    return headed.replace(stateRef, (_, found: string) => put('', found))
  }
  const filed = headed.replace(fileRef, (_, head: string, found: string) => put(head, found))
  return ends ? filed.replace(lastRef, (_, found: string) => put('', found)) : filed
}
