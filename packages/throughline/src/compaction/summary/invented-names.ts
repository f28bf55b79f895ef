import { filesNamed, isKnownDirectory } from '../../facts/file-tree.ts'
import { isForgotten } from '../../facts/forget/forgotten.ts'
import { scanNames } from '../../facts/names/scan.ts'
import { messageText, partsOf } from '../../log/message.ts'
import type { Chronological } from '../../log/order.ts'
import type { Facts } from '../../facts/facts.ts'

/** What says which names a session held. */
interface Session {
  facts: Facts
  log: Chronological
}

/** A model's words without refs, and with a mark where they name what the session never held. */
export function withoutInventions(
  text: string,
  { facts, log, named, right }: Session & { named: Set<string>; right: ReadonlySet<string> },
): string {
  const corrected = (invented: string): string =>
    markUnseen(withoutRefs(invented), { facts, log, named })
  if (right.size === 0) return corrected(text)
  return text
    .split('\n')
    .map((line) => (right.has(line) ? line : corrected(line)))
    .join('\n')
}

/** A model can't know seqs: anything that looks like one is invented. */
function withoutRefs(text: string): string {
  return text.replace(
    / ?\[(?:(?:q[0-9a-z]{5}:)?\d{1,9}(?:\.\d{1,5})?(?:, |,|–|-)?){1,20}\](?!\()/g,
    '',
  )
}

const mark = ' (not seen in this session)'

/**
 * Marks every path and identifier in a text that the session never held, where it first occurs. It
 * isn't deleted, because it may be planned.
 */
function markUnseen(text: string, { facts, log, named }: Session & { named: Set<string> }): string {
  const ends: number[] = []
  scanNames(text, {
    name: (source, start, end, kind) => {
      if (kind === 'ticket') return
      const name = source.slice(start, end)
      if (acronym.test(name)) return
      if (named.has(name)) return
      named.add(name)
      if (
        !isHeld(name, facts, log) &&
        !isComposed(name, facts, log) &&
        !isThere(name, facts, log)
      ) {
        ends.push(afterQuote(source, end))
      }
    },
  })
  let marked = ''
  let from = 0
  for (const end of ends) {
    marked += text.slice(from, end) + mark
    from = end
  }
  return marked + text.slice(from)
}

/**
 * Names that a writer put together of such as the session held: `empty/degraded`, `lint.yml/test.yml`,
 * `Registry.getActive` for a method of `Registry`.
 */
function isComposed(name: string, facts: Facts, log: Chronological): boolean {
  const choice = name.split(/[/|]/)
  const isChoice =
    choice.every((word) => plainWord.test(word) || ordinal.test(word)) ||
    // A file is no directory.
    choice.slice(0, -1).every((word) => fileName.test(word))
  if (choice.length > 1) {
    const isKnown = (word: string): boolean =>
      ordinal.test(word) || isHeld(word, facts, log) || holdsWord(word, log)
    // Of prose one word is enough.
    return isProse(choice, facts) ? choice.some(isKnown) : isChoice && choice.every(isKnown)
  }
  const parts = name.split('.')
  const isMember = parts.length > 1 && parts.every((part) => member.test(part))
  // `parser.ts` is no member of `parser`.
  return (
    isMember &&
    !extension.test(parts.at(-1) ?? '') &&
    parts.every((part) => isHeld(part, facts, log))
  )
}

/** `Tests/tooling` or `C0/DEL/C1`, where there is no directory `Tests`. */
function isProse([first = '', ...others]: readonly string[], { files }: Facts): boolean {
  const isLabel =
    /^(?:\p{Lu}\p{Ll}+|[A-Z][A-Z0-9]{1,9})$/u.test(first) &&
    others.every((word) => plainWord.test(word) || /^[A-Z][A-Z0-9]{1,9}$/.test(word))
  return isLabel && ![...files.keys()].some((path) => `/${path}`.includes(`/${first}/`))
}

/** `URLs`, `non-JSON`: words of a language, not of the code. */
const acronym = /^(?:\p{Ll}{2,5}-)?\p{Lu}{2,6}s?$/u
const ordinal = /^\d{1,3}$/
const plainWord = /^\p{L}[\p{L}-]{0,40}$/u
const fileName = /^[\w-]{1,60}\.[a-z]{1,5}$/
const member = /^[\p{L}_$][\p{L}\p{N}_$]{1,60}$/u
const extension = /^[a-z][a-z0-9]{0,4}$/

/** Files of these names are in many directories. */
const ofAnyDirectory =
  /^(?:package\.json|tsconfig\.json|index\.\w{1,4}|main\.\w{1,4}|mod\.rs|lib\.rs|__init__\.py|Cargo\.toml|go\.mod|[A-Z]{4,12}\.md)$/

/**
 * A path of a directory and a file that the session held, but not together: of a listing, or of an
 * import. Where it knows a file of that name, that one is another.
 */
function isThere(name: string, facts: Facts, log: Chronological): boolean {
  const slash = name.lastIndexOf('/')
  const [directory, file] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash <= 0 || !/.\.\w{1,6}$/.test(file)) return false
  const isElsewhere = facts.files.has(file) || filesNamed(facts.files, file).length > 0
  if (isElsewhere && !ofAnyDirectory.test(file)) return false
  const stem = file.slice(0, file.lastIndexOf('.'))
  const imported = [`/${stem}.js`, `/${stem}'`, `/${stem}"`]
  const isSeen = [file, ...imported].some((each) => log.some((entry) => holdsText(entry, each)))
  return isSeen && holdsDirectory(directory, facts, log)
}

function holdsDirectory(path: string, { files }: Facts, log: Chronological): boolean {
  return (
    isKnownDirectory(files, path) ||
    [...files.keys()].some((known) => known.includes(`/${path}/`)) ||
    log.some(
      (entry) =>
        holdsText(entry, `${path}/`) || holdsText(entry, `${path.replaceAll('/', '\\')}\\`),
    )
  )
}

/** In capitals or not: `Windows` where the session spoke of `windows-latest`. */
function holdsWord(word: string, log: Chronological): boolean {
  const lower = word.toLowerCase()
  return plainWord.test(word) && log.some((entry) => holdsText(entry, lower))
}

function isHeld(name: string, facts: Facts, log: Chronological): boolean {
  if (facts.names.has(name) || facts.files.has(name) || isForgotten(facts, name)) return true
  // The end of a known path; the log may begin where an earlier summary ends.
  const known = filesNamed(facts.files, name.slice(name.lastIndexOf('/') + 1))
  return (
    known.some((path) => path.endsWith(`/${name}`)) || log.some((entry) => holdsText(entry, name))
  )
}

/** Whether what an entry says, or what its calls were given, holds a text. */
export function holdsText(entry: Chronological[number], name: string): boolean {
  // One of our own summaries may contain marked names; an imported one is all we have.
  if (entry.kind === 'checkpoint') {
    return entry.metadata['rung'] === undefined && entry.summary.includes(name)
  }
  if (entry.kind === 'pin') return entry.text.includes(name)
  if (entry.kind !== 'message') return false
  return (
    messageText(entry.message).includes(name) ||
    partsOf(entry.message).some(
      (part) =>
        part.type === 'tool-call' &&
        (part.toolName.includes(name) ||
          (JSON.stringify(part.input) ?? '').includes(JSON.stringify(name).slice(1, -1))),
    )
  )
}

function afterQuote(text: string, end: number): number {
  return text[end] === '`' ? end + 1 : end
}

// Fewer names say little about a text, and so many are enough.
const fewNames = 8
const manyNames = 60
// Of the names in a summary of a session nearly all were held by it.
const leastHeld = 0.2

/** Whether a text tells of another session: hardly any of the names in it was held by this one. */
export function isOfAnotherSession(text: string, { facts, log }: Session): boolean {
  const names = new Set<string>()
  scanNames(text, {
    name: (source, start, end, kind) => {
      if (kind !== 'ticket' && names.size < manyNames) names.add(source.slice(start, end))
    },
  })
  if (names.size < fewNames) return false
  const held = [...names].filter((name) => isHeld(name, facts, log)).length
  return held < names.size * leastHeld
}
