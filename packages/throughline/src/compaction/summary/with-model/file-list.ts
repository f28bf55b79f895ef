import { formatSections, parseSections } from '../../../facts/sections.ts'
import { headingKey } from '../../../facts/heading-key.ts'
import { exactNames } from '../../../facts/heading-names.ts'
import { sharedTerms, termsOf } from './summarizer.ts'
import { sharedDirectory } from '../shared-directory.ts'
import { relevantFiles } from '../../../facts/summary/sections/relevant-files.ts'
import type { Template } from '../template.ts'

const section = headingKey(relevantFiles.heading)

/** A line that names one file, and may say something of it. */
const fileLine = /^[-*] `([^`\s]{1,200})`(?:\s{1,2}[—–-]|:)?\s{0,2}(.*)$/

/** A line that tells of a file says this share of what another one says of it. */
const mostSaid = 0.6

/** A line of the list, and the file that it names. */
interface Listed {
  line: string
  path: string | undefined
}

/**
 * A model's summary with a shorter list of files: a path stays, but not what is said of the file
 * elsewhere, and a directory that many of them share is written once. Models tell of each file
 * twice, and the second time takes a tenth of the summary.
 */
export function withShortFileList(summary: string, { sections }: Template): string {
  const names = exactNames(sections.map(({ heading }) => heading))
  const parsed = parseSections(summary, names)
  const files = parsed.sections.find(({ heading }) => headingKey(heading) === section)
  if (!files) return summary
  const others = parsed.sections.filter((one) => one !== files)
  const text = formatSections({ preamble: parsed.preamble, sections: others })
  const told = text.split('\n')
  const lines = files.body.split('\n')
  const kept: Listed[] = []
  const bare: string[] = []
  for (const [at, line] of lines.entries()) {
    const [, path, words = ''] = fileLine.exec(line) ?? []
    // What is nested below a file belongs to it.
    const isWhole = !/^\s+\S/.test(lines[at + 1] ?? '')
    if (path !== undefined && isWhole && isTold(path, words, told)) bare.push(path)
    else kept.push({ line, path })
  }
  const short = inDirectory(
    kept,
    bare.filter((path) => !text.includes(path)),
  )
  if (short.length < files.body.length) files.body = short
  return formatSections(parsed)
}

/** Whether a line that names the file says as much of it. */
function isTold(path: string, words: string, lines: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const terms = termsOf(words)
  return lines.some((line) => line.includes(name) && sharedTerms(terms, termsOf(line)) >= mostSaid)
}

/** The lines, and below them the paths that need none, all of one directory under its name. */
function inDirectory(kept: readonly Listed[], bare: readonly string[]): string {
  const directory = sharedDirectory([...kept.flatMap(({ path }) => path ?? []), ...bare])
  const isIn = (path: string | undefined): boolean =>
    directory !== '' && path?.startsWith(directory) === true
  const inside = kept.filter(({ path }) => isIn(path))
  return [
    ...kept.filter(({ path }) => !isIn(path)).map(({ line }) => line),
    ...pathLine(bare.filter((path) => !isIn(path))),
    ...(directory === '' ? [] : [`In \`${directory}\`:`]),
    ...inside.map(({ line }) => line.replace(directory, '')),
    ...pathLine(bare.filter(isIn).map((path) => path.slice(directory.length))),
  ].join('\n')
}

function pathLine(paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`- ${paths.map((path) => `\`${path}\``).join(', ')}`]
}
