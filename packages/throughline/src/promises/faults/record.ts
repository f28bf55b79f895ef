import { settingName } from './settings.ts'
import type { Setting, Trial } from './trial.ts'

/** What became of an agent, in figures that are the same each time. */
export interface Result {
  /** The codes on the way and the end, as `STEP_FAILED, finished`. */
  outcome: string
  calls: number
  compactions: number
}

/** The results of one fault, each with the settings in which it came out so, or `all`. */
export interface Recorded {
  fault: string
  results: (Result & { settings: string })[]
}

export function resultOf({ outcome, requests, events }: Trial): Result {
  const compactions = events.filter(({ type }) => type === 'compaction-finished').length
  return { outcome: outcome.join(', '), calls: requests.length, compactions }
}

/** The results of one fault in all settings. */
export function recordOf(
  fault: string,
  all: readonly { setting: Setting; result: Result }[],
): Recorded {
  const groups = Map.groupBy(all, ({ result }) => JSON.stringify(result))
  const results = [...groups].map(([result, group]) => ({
    ...(JSON.parse(result) as Result),
    settings: groups.size === 1 ? 'all' : group.map((one) => settingName(one.setting)).join('; '),
  }))
  return { fault, results }
}

/** What was recorded of a fault in a setting. */
export function recordedIn(
  records: readonly Recorded[],
  fault: string,
  setting: Setting,
): Result | undefined {
  const found = records
    .find((record) => record.fault === fault)
    ?.results.find(
      ({ settings }) => settings === 'all' || settings.split('; ').includes(settingName(setting)),
    )
  return found && { outcome: found.outcome, calls: found.calls, compactions: found.compactions }
}
