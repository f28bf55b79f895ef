import { readFileSync, writeFileSync } from 'node:fs'
import { faultsPage, type PageRecords } from './faults-page.ts'

/** Whether the results are written anew. */
export const updates = process.env['UPDATE_DOCS'] === '1'

const files = {
  runs: 'faults.json',
  doors: 'faults-doors.json',
  clients: 'faults-clients.json',
  gateway: 'faults-gateway.json',
} as const satisfies Record<keyof PageRecords, string>

const docs = (name: string): URL => new URL(`../../../../../docs/${name}`, import.meta.url)

/** What was recorded last, of one of the tables of `docs/faults.md`. */
export function recordedFaults<Table extends keyof PageRecords>(table: Table): PageRecords[Table] {
  return JSON.parse(readFileSync(docs(files[table]), 'utf8'))
}

/** Records a table anew, and writes the page. */
export function recordFaults<Table extends keyof PageRecords>(
  table: Table,
  records: PageRecords[Table],
): void {
  writeFileSync(docs(files[table]), `${JSON.stringify(records, null, 2)}\n`)
  writeFileSync(docs('faults.md'), pageOfRecorded())
}

/** `docs/faults.md`, as the recorded results have it. */
export function pageOfRecorded(): string {
  return faultsPage({
    runs: recordedFaults('runs'),
    doors: recordedFaults('doors'),
    clients: recordedFaults('clients'),
    gateway: recordedFaults('gateway'),
  })
}

export function writtenPage(): string {
  return readFileSync(docs('faults.md'), 'utf8')
}
