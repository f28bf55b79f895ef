import { beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults.ts'
import { full } from '../../testing/generate/runs.ts'
import {
  recordedIn,
  recordOf,
  resultOf,
  type Result,
  settingName,
  settingsOf,
} from './faults-page.ts'
import {
  pageOfRecorded,
  recordedFaults,
  recordFaults,
  updates,
  writtenPage,
} from './recorded-faults.ts'
import { summaryFaults } from './summary-faults.ts'
import { trial, type Setting, type Trial } from './trial.ts'
import { wires } from './wires.ts'
import { wrongsIn } from './legal-end.ts'
import type { Fault } from './fault.ts'

interface Run {
  fault: Fault
  setting: Setting
}

interface Ended {
  setting: Setting
  result: Result
  wrongs: string[]
}

/** Some at a time: most of what they take is waiting. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

async function ending({ fault, setting }: Run): Promise<Trial & { wrongs: string[] }> {
  const ended = await trial(fault, setting)
  return { ...ended, wrongs: await wrongsIn(ended) }
}

/** One of the wires each, all of them in a full run. */
const runs = faults.flatMap((fault, index): Run[] => {
  const { wires: known = wires } = fault
  const sample = { wires: known.slice(index % known.length).slice(0, 1) }
  return settingsOf(full || updates ? fault : sample).map((setting) => ({ fault, setting }))
})

/** A sample of the summaries that fail, each on one of the wires. */
const prepared = summaryFaults.flatMap((fault, index) => {
  const wire = wires[Math.floor(index / 3) % wires.length] ?? wires[0]
  return full || index % 3 === 0 ? [{ fault, wire }] : []
})

function waits({ fault }: Run): boolean {
  return fault.step?.timeout !== undefined
}

const ended = new Map<string, Ended[]>()

beforeAll(async () => {
  // What waits longest goes first, and the others run meanwhile.
  const longest = runs.toSorted((a, b) => Number(waits(b)) - Number(waits(a)))
  await eachOf(longest, async ({ fault, setting }) => {
    const { wrongs, ...rest } = await ending({ fault, setting })
    const all = ended.get(fault.name) ?? []
    ended.set(fault.name, [...all, { setting, result: resultOf(rest), wrongs }])
  })
  if (!updates) return
  recordFaults(
    'runs',
    faults.map(({ name }) => recordOf(name, inOrder(ended.get(name) ?? []))),
  )
})

function inOrder(all: readonly Ended[]): Ended[] {
  const names = settingsOf({}).map(settingName)
  return all.toSorted(
    (a, b) => names.indexOf(settingName(a.setting)) - names.indexOf(settingName(b.setting)),
  )
}

describe('an agent at a provider with a fault', () => {
  it.each(faults)(
    'ends legally, within its bounds, with its task or a typed error: $name',
    (fault) => {
      const all = ended.get(fault.name) ?? []
      expect(all.length).toBeGreaterThanOrEqual(4)
      for (const { setting, wrongs, result } of all) {
        expect(wrongs, settingName(setting)).toEqual([])
        expect(result.outcome.length).toBeGreaterThan(0)
      }
    },
  )

  it.each(faults)(
    'comes out as docs/faults.md says (UPDATE_DOCS=1 writes it anew): $name',
    (fault) => {
      const records = recordedFaults('runs')
      for (const { setting, result } of ended.get(fault.name) ?? []) {
        expect({ setting, ...result }).toEqual({
          setting,
          ...recordedIn(records, fault.name, setting),
        })
      }
    },
  )

  it.each(prepared)(
    'goes on while summaries are prepared beside it: $fault.name',
    async ({ fault, wire }) => {
      const setting = { wire, auto: true, streams: true, prepares: true } as const
      const { wrongs, outcome } = await ending({ fault, setting })
      expect(wrongs).toEqual([])
      expect(outcome).toEqual(['finished'])
    },
  )
})

describe('docs/faults.md', () => {
  it('is what the recorded results say, of every fault', () => {
    const names = faults.map(({ name }) => name)
    for (const table of ['runs', 'doors', 'gateway'] as const) {
      expect(recordedFaults(table).map(({ fault }) => fault)).toEqual(names)
    }
    expect(writtenPage()).toBe(pageOfRecorded())
  })
})
