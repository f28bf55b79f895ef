import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { reportPage } from '../packages/throughline/build/report-page.ts'
import { pageWith } from '../packages/throughline/src/cli/commands/report/page.ts'
import { defaultPolicy } from '../packages/throughline/src/compaction/policy.ts'
import { readSession } from '../packages/throughline/src/formats/reading/read-session.ts'
import { chronological } from '../packages/throughline/src/log/order.ts'
import { reportOf } from '../packages/throughline/src/report/report-of.ts'
import { compactLog } from '../packages/throughline/src/session/once/compact-log.ts'

/**
 * Draws `docs/report.png`: the report on the sample session, compacted in a window of 64,000 tokens as
 * it goes. It needs Chromium; CHROMIUM names its program.
 */
const root = join(import.meta.dirname, '..')
const window = { context: 64_000 }
const { log: recorded, facts } = await readSession(
  createReadStream(join(root, 'examples/sample-session.jsonl')),
)
const frame = { ...(facts.directory !== undefined && { directories: [facts.directory] }) }

let log = chronological([])
for (const entry of recorded) {
  if (entry.kind !== 'message') continue
  if (entry.message.role === 'assistant') log = (await compactLog(log, { window, ...frame })).log
  // Its usage is of requests that were not compacted.
  const { usage: _, ...said } = entry
  log = chronological([...log, { ...said, seq: (log.at(-1)?.seq ?? 0) + 1 }])
}

const name = 'sample-session'
const model = await reportOf(
  { log, facts, name, format: 'throughline', skipped: 0, stored: name },
  {
    window,
    windowFrom: 'as requested',
    policy: defaultPolicy,
    prices: { input: 3, output: 15 },
    ...frame,
  },
)
const toDo = [
  {
    command: `throughline resume ${name}`,
    does: 'Go on with this session, in its own client or another.',
  },
  { command: `throughline undo ${name}`, does: 'Take the newest compaction back.' },
]
const page = join(tmpdir(), 'throughline-drawn.html')
writeFileSync(page, pageWith((await reportPage()).html, { model, toDo }))

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const viewport = { width: 1240, height: 1160 }
const drawn = await browser.newPage({ viewport, colorScheme: 'light' })
await drawn.goto(pathToFileURL(page).href)
await drawn.waitForSelector('.plot canvas')
writeFileSync(join(root, 'docs/report.png'), smaller(await drawn.screenshot()))
await browser.close()
console.log('docs/report.png shows the report on examples/sample-session.jsonl.')

/**
 * The same picture, smaller. Browsers predict each pixel from its neighbours, which suits photographs;
 * a page of text repeats itself, and is compressed best as it is.
 */
function smaller(png: Buffer): Buffer {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  const pixels = chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))
  const kept = chunks.filter(({ type }) => type === 'IHDR')
  const [head] = kept
  if (head?.data[8] !== 8) throw new Error('the picture does not have 8 bits a colour')
  const bytes = head.data[9] === 6 ? 4 : 3
  const rows = unpredicted(
    inflateSync(Buffer.concat(pixels)),
    head.data.readUInt32BE(0) * bytes,
    bytes,
  )
  const data = deflateSync(rows, { level: 9 })
  const all = [...kept, { type: 'IDAT', data }, { type: 'IEND', data: Buffer.alloc(0) }]
  return Buffer.concat([png.subarray(0, 8), ...all.map(written)])
}

/** The rows of a picture without predictions, as PNG defines them. */
function unpredicted(rows: Buffer, width: number, bytes: number): Buffer {
  for (let start = 0; start < rows.length; start += width + 1) {
    const how = rows[start] ?? 0
    rows[start] = 0
    for (let at = start + 1; at <= start + width; at++) {
      const left = at - bytes > start ? (rows[at - bytes] ?? 0) : 0
      const up = start > 0 ? (rows[at - width - 1] ?? 0) : 0
      const corner = start > 0 && at - bytes > start ? (rows[at - width - 1 - bytes] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][how] ?? 0
      rows[at] = ((rows[at] ?? 0) + guess) & 255
    }
  }
  return rows
}

/** Paeth's predictor. */
function nearest(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) =>
    Math.abs(left + up - corner - each),
  )
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return 0
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

function written({ type, data }: { type: string; data: Buffer }): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, sum])
}
