import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { streamSession } from 'throughline/formats'
import { spreadOf } from './spread.ts'
import { exactly, tell } from './tell.ts'

export interface ReadFigures {
  megabytes: number
  /** Bare `JSON.parse` of every line, in milliseconds, by round. */
  bare: number[]
  /** Throughline's reader with conversion to entries, in milliseconds, by round. */
  reader: number[]
  /** The reader's speed divided by that of bare `JSON.parse`: median, slowest and fastest round. */
  ratio: { median: number; low: number; high: number }
  entries: number
  /** Peak resident memory of a process that does nothing but read, in MB. */
  peakMegabytes: number
}

const rounds = 7
const wanted = 100e6
const corpusFile = join(
  import.meta.dirname,
  '../../../shared/corpus/claude-code/skills__fe3ed705.jsonl',
)

/** How fast a 100 MB Claude Code session is read, against bare `JSON.parse` on the same lines. */
export async function benchRead(): Promise<ReadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-read-'))
  try {
    const path = join(folder, 'session.jsonl')
    const bytes = await writeSession(path)
    await readBare(path)
    const entries = await readEntries(path)
    const bare: number[] = []
    const reader: number[] = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await timed(() => readBare(path)))
      reader.push(await timed(() => readEntries(path)))
    }
    const peakMegabytes = Number(
      execFileSync(process.execPath, [import.meta.filename, '--peak', path], { encoding: 'utf8' }),
    )
    const ratios = bare.map((time, round) => time / (reader[round] ?? time)).sort(ascending)
    const ratio = {
      median: ratios[Math.floor(rounds / 2)] ?? 0,
      low: ratios[0] ?? 0,
      high: ratios.at(-1) ?? 0,
    }
    const figures = { megabytes: bytes / 1e6, bare, reader, ratio, entries, peakMegabytes }
    print(figures)
    return figures
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function print({ megabytes, bare, reader, ratio, entries, peakMegabytes }: ReadFigures): void {
  const { median, low: min, high: max } = ratio
  tell({
    what: `reading a Claude Code session of ${megabytes.toFixed(0)} MB, ${entries.toLocaleString('en')} entries: its speed by JSON.parse of each line`,
    figure: { median, min, max },
    unit: '×',
    limit: { figure: exactly(1), what: 'JSON.parse alone' },
  })
  tell({ what: '  in time', figure: spreadOf(reader), unit: 'ms', digits: 0 })
  tell({ what: '  JSON.parse alone', figure: spreadOf(bare), unit: 'ms', digits: 0 })
  tell({ what: '  peak resident memory', figure: exactly(peakMegabytes), unit: 'MB', digits: 0 })
}

function ascending(one: number, other: number): number {
  return one - other
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function readEntries(path: string): Promise<number> {
  const { drafts } = await streamSession(createReadStream(path))
  let entries = 0
  for await (const _ of drafts) entries++
  return entries
}

async function readBare(path: string): Promise<number> {
  let records = 0
  let rest: Buffer = Buffer.alloc(0)
  const parse = (line: string): void => {
    if (line === '') return
    JSON.parse(line)
    records++
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      parse(bytes.toString('utf8', start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
  parse(rest.toString('utf8'))
  return records
}

/** Repeats a real or generated session under new ids until it is long enough. */
async function writeSession(path: string): Promise<number> {
  const lines = existsSync(corpusFile) ? readFileSync(corpusFile, 'utf8').split('\n') : madeUp()
  const out = createWriteStream(path)
  let bytes = 0
  for (let copy = 0; bytes < wanted; copy++) {
    for (const line of lines) {
      if (line.trim() === '') continue
      const renamed = withNewIds(line, copy)
      bytes += Buffer.byteLength(renamed) + 1
      if (!out.write(`${renamed}\n`)) await once(out, 'drain')
    }
  }
  out.end()
  await finished(out)
  return bytes
}

const ids = /"(?:uuid|parentUuid|id|tool_use_id|sourceToolAssistantUUID)":"[^"\\]{8,}/g

function withNewIds(line: string, copy: number): string {
  return line.replace(ids, (field) => `${field}-${copy}`)
}

/** A session of plain turns, for a machine without the corpus. */
function madeUp(): string[] {
  const lines: string[] = []
  let parentUuid: string | null = null
  const push = (type: string, message: object, extra: object = {}): void => {
    const uuid = `record-${String(lines.length).padStart(8, '0')}`
    const timestamp = new Date(1.7e12 + lines.length * 1000).toISOString()
    lines.push(
      JSON.stringify({ parentUuid, isSidechain: false, type, message, uuid, timestamp, ...extra }),
    )
    parentUuid = uuid
  }
  for (let turn = 0; turn < 400; turn++) {
    push('user', { role: 'user', content: `Look into part ${turn} of the module.` })
    const id = `message-${turn}`
    const call = `toolcall-${turn}`
    const text = { type: 'text', text: `I read the file of part ${turn}. `.repeat(8) }
    const use = {
      type: 'tool_use',
      id: call,
      name: 'Read',
      input: { file_path: `/src/${turn}.ts` },
    }
    push('assistant', { id, role: 'assistant', model: 'made-up', content: [text] })
    push('assistant', { id, role: 'assistant', model: 'made-up', content: [use] })
    const content = `export const part = ${turn} // "quoted" — and more\n`.repeat(60)
    const result = { type: 'tool_result', tool_use_id: call, content }
    push('user', { role: 'user', content: [result] }, { toolUseResult: { file: { content } } })
  }
  return lines
}

if (process.argv[1] === import.meta.filename) {
  const [flag, path] = process.argv.slice(2)
  if (flag === '--peak' && path) {
    await readEntries(path)
    console.log(process.resourceUsage().maxRSS / 1024)
  } else {
    await benchRead()
  }
}
