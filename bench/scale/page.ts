import { markdownTable } from '../compare/markdown.ts'
import { expectedOf, type Growth } from './growth.ts'

/** All that is on the page. */
export interface ScaleRecord {
  machine: string
  file: Growth
  postgres: Growth
  session: Growth
}

/** What a million sessions, a hundred million entries and a session of ten million tokens take. */
export function scalePage({ machine, file, postgres, session }: ScaleRecord): string {
  return `${[
    '# At scale',
    `For those who plan for more sessions than they can try out. Measured by \`npm run bench:scale -- --record\` (${machine}), with other work on the machine: sizes are exact, times are rough. [scale.json](scale.json) holds all figures.`,
    'Each figure was measured at three sizes. Work that looks at everything is **expected** to grow on as it did between the last two sizes. That is an estimate, not a measurement. Work on one session or entry has no estimate: the three sizes show whether it grows.',
    '## A million sessions in one SQLite file',
    `Sessions of five entries, of about 600 characters each. Real sessions are longer: count about 0.6 kB of the file for each of their entries, and the length of their texts.`,
    tableOf(file),
    '**What breaks first.** Work in one session does not depend on how many others there are. Three things look at the names of all sessions. Removing one writes all names again, because SQLite would otherwise leave a copy of the removed name in the file; the process stands still meanwhile. The first new session of each process looks up all names, in case one was damaged. A list holds all sessions at once. From some hundred thousand sessions on, use one file for each tenant or month, or Postgres.',
    '## 100 million entries in Postgres',
    'Sessions of 100 entries, of about 600 characters each, in the gateway’s store with 32 MB of shared buffers, without `fsync`.',
    tableOf(postgres),
    `**What breaks first.** The disk, which needs ${gigabytes(postgres, 'bytes for each entry, with its indexes')} for entries of this length. Once the indexes do not fit into Postgres's buffers, each append takes longer, so give Postgres as much memory as the indexes take (${gigabytes(postgres, 'of them indexes')}). A list of all sessions reads every one of them; the gateway's own lists come in pages and do not. A search reads and decrypts one session, so its time depends on the length of that session alone. The gateway deletes what nobody has used for \`retentionDays\`, and vacuum must keep up with that.`,
    '## A session of ten million tokens',
    'One agent in a window of 200,000 tokens, with a summary by code at each compaction. All of this was measured; nothing is estimated.',
    tableOf(session),
    '**What breaks first.** Not the agent: a step, a compaction and opening the session take as long at ten million tokens as at one million. What reads the whole session grows with it: the first search, which builds an index for the next ones, the history, and an export. They pause every few milliseconds, so that other work goes on.',
  ].join('\n\n')}\n`
}

function tableOf(growth: Growth): string {
  const { of, points, wanted, ofAll } = growth
  const sizes = points.map(({ size }) => `${size.toLocaleString('en')} ${of}`)
  const expected = ofAll.length > 0 ? [`expected at ${wanted.toLocaleString('en')}`] : []
  const rows = Object.keys(points[0]?.figures ?? {}).map((name) => [
    name,
    ...points.map(({ figures }) => digits(figures[name] ?? Number.NaN)),
    ...expected.map(() => (ofAll.includes(name) ? digits(expectedOf(growth, name)) : '')),
  ])
  return markdownTable({ head: ['', ...sizes, ...expected], rows })
}

function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2)
}

/** What so many entries take, by what each takes at the largest size that was measured. */
function gigabytes({ points, wanted }: Growth, figure: string): string {
  return `${(((points.at(-1)?.figures[figure] ?? Number.NaN) * wanted) / 1e9).toFixed(0)} GB`
}
