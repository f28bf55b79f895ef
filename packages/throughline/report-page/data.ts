import type { Seq } from '../src/log/entry.ts'
import type { MachineReport } from '../src/report/machine.ts'
import type { ReportModel } from '../src/report/model.ts'

/** What the page is given: the report, and the commands that go on from it. */
export interface PageData {
  model: ReportModel
  toDo: { command: string; does: string }[]
}

/** The data in the page itself: of one session, or of all of a machine. */
export function dataInPage(): PageData | { machine: MachineReport } {
  const text = document.getElementById('report-data')?.textContent ?? ''
  return JSON.parse(text) as PageData | { machine: MachineReport }
}

/** The address of an entry within the page. */
export function entryHash(seq: Seq): string {
  return `#e${seq}`
}

/** The entry that an address names. */
export function entryIn(hash: string): Seq | undefined {
  const match = /^#e(\d{1,15})$/.exec(hash)
  return match ? Number(match[1]) : undefined
}
