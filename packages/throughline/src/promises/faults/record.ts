import { settingName } from './settings.ts'
import type { Setting, Trial } from './trial.ts'

/** What happened to an agent, in figures that are the same each time. */
export interface Result {
  /** The error codes along the way and the end, as `STEP_FAILED, finished`. */
  outcome: string
  calls: number
  compactions: number
}

/** The results of one fault, each with the settings that gave it, or `all`. */
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

/** The recorded result of a fault in a setting. */
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
