import { usableOf } from '../keep-policy.ts'
import { policyOf } from '../../config/policy-of.ts'
import { chooseWindow } from '../window-choice.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { SessionOverview } from '../../formats/stored/overview.ts'

/** A stored session in the list. */
export interface SessionRow extends SessionOverview {
  /** What its window leaves beside the model's answer, in tokens. */
  usable: number
}

export function sessionRow(overview: SessionOverview, configuration: Configuration): SessionRow {
  const { facts } = overview
  const { window } = chooseWindow(undefined, facts, configuration)
  return { ...overview, usable: usableOf(window, policyOf(configuration, facts.model)) }
}
