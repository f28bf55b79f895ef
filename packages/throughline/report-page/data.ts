import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Ref, Seq } from '../src/log/entry.ts'
import type { MachineReport } from '../src/report/machine.ts'
import type { ReportModel } from '../src/report/model.ts'

/** What the page is given: the report, the commands that go on from it, and what a server allows. */
export interface PageData {
  model: ReportModel
  toDo: { command: string; does: string }[]
  live?: { stored: boolean }
}

/** What a served page may change in a stored session. */
export interface Actions {
  undo: () => Promise<void>
  pin: (ref: Ref) => Promise<void>
  unpin: (pin: Seq) => Promise<void>
  annotate: (of: Seq, text: string) => Promise<void>
}

export const ActionsContext = createContext<Actions | undefined>(undefined)

export function useActions(): Actions | undefined {
  return useContext(ActionsContext)
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
