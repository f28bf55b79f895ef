import { apiWriters } from '../harnesses.ts'
import { formats } from '../formats.ts'
import { throughline } from '../throughline/format.ts'
import { writers } from './writers.ts'
import type { CorpusReading } from './corpus-reading.ts'
import type { Format } from '../format.ts'

/** A real client that went on from written sessions, as `npm run test:clients` records it. */
interface ClientRun {
  name: string
  version: string
  date: string
  sessions: { session: string; problems: string[] }[]
}

/** What `npm run test:fuzz` has shown of a format, and when. */
interface FormatFigures {
  format: string
  fuzzed?: { records: number; date: string }
  roundTrip?: { sessions: number; date: string }
}

/** What was recorded, and cannot be run everywhere. */
export interface Recorded {
  clients: readonly ClientRun[]
  figures: readonly FormatFigures[]
  corpus: readonly CorpusReading[]
}

/** The page `docs/formats.md`: what is read and written, and what each claim rests on. */
export function formatsPage(recorded: Recorded): string {
  return [
    '# Formats',
    '',
    'For those who want to know which sessions Throughline reads and writes. A test generates this page and fails if it differs.',
    '',
    ...table(
      columns,
      formats.map((format) => row(format, recorded)),
    ),
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
}

const columns = [
  'format',
  'where',
  'read',
  'written',
  'resumed by its client',
  'round trip',
  'fuzzed',
  'real files',
  'skipped',
]

const notes = [
  '**resumed by its client**: the version of the real client that resumed compacted sessions, and the date. It resumed one of its own sessions (if the corpus has one), one from another harness, and two that were handed off. The first request after that contains the summary once, the kept tail word for word with every call and result paired, none of the summarized messages, and then the new prompt. In a handed-off session, every call uses a tool that the client offers, with arguments that the tool accepts. `npm run test:clients -- --json docs/clients.json` runs the clients and records the results.',
  '**round trip**: how many generated sessions were written and then read back with the same content, and the date of the recorded run (`npm run test:fuzz`). The tests do the same with real sessions of six harnesses. An API’s messages can’t show whether the human or the harness spoke.',
  `**fuzzed**: how many records were changed at any depth, cut off and read again, and the date of the recorded run (\`npm run test:fuzz\`). Nothing throws. Every resulting context is valid, except that an exported log is returned as it is. A reader keeps less than half of what it read plus 16 MB in memory, and reports every damaged line by its number. The records are real. For a format without real files, real sessions are written in that format; if it has no writer, a sample is used.`,
  '**real files**, **skipped**: how many sessions of the corpus are read completely, and the lines in them that are not a single record, as recorded in `docs/corpus.json`.',
  'A pin is written as part of the summary, word for word. The client that resumes the session sees it. But if that session is compacted again, the pin is only text in the old summary; pin it again.',
  'The AI SDK accepts no system prompt among its messages, so none is written. Media that a format can’t represent are described in words.',
]

function row(format: Format, { clients, corpus, figures }: Recorded): string[] {
  const { name, place } = format
  const written = isWritten(name)
  const reading = corpus.find((one) => one.format === name)
  const { fuzzed, roundTrip } = figures.find((one) => one.format === name) ?? {}
  return [
    name,
    // Outside of code it would be taken for HTML.
    place.includes('`') ? place : place.replaceAll('<', '\\<'),
    'yes',
    written ? 'yes' : '',
    notRun.get(name) ?? resumed(clients.find((one) => one.name === name)),
    roundTrip ? shown(roundTrip.sessions, roundTrip.date) : '',
    fuzzed ? shown(fuzzed.records, fuzzed.date) : '',
    reading ? `${reading.files}` : '',
    reading ? skippedIn(reading) : '',
  ]
}

function shown(count: number, date: string): string {
  return `${count.toLocaleString('en')} (${date})`
}

function isWritten(name: string): boolean {
  if (name === throughline.name) return true
  return [...writers.map(({ writer }) => writer), ...apiWriters].some((one) => one.name === name)
}

/** Clients that could not be had, and why. */
const notRun: ReadonlyMap<string, string> = new Map([
  ['opencode-v2', 'not run: version 2 is on no registry'],
])

/** Only where it went on every time. */
function resumed(run: ClientRun | undefined): string {
  if (!run || run.sessions.some(({ problems }) => problems.length > 0)) return ''
  return `${run.version} (${run.date})`
}

function skippedIn({ skipped }: CorpusReading): string {
  if (skipped.length === 0) return 'none'
  return skipped.map(({ file, line: at, read }) => `${file}:${at} (${read} read)`).join(', ')
}

/** A table with its columns under each other, as the formatter has them. */
function table(head: readonly string[], rows: readonly string[][]): string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((cells) => (cells[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)]
}
