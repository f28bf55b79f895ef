import { policyOf } from '../../../config/policy-of.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Glance } from '../../../harnesses/glance/glance-at.ts'

/** A session of a harness in the list. */
export interface ListRow {
  found: FoundSession
  glance: Glance
  /** What its window leaves beside the model's answer, in tokens. */
  usable: number
}

export function listRow(
  found: FoundSession,
  glance: Glance,
  configuration: Configuration,
): ListRow {
  const { model, window } = glance
  const facts = { ...(model !== undefined && { model }), ...(window !== undefined && { window }) }
  const choice = chooseWindow(undefined, facts, configuration)
  return { found, glance, usable: usableOf(choice.window, policyOf(configuration, model)) }
}
