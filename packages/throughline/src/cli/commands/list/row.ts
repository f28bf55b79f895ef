import { policyOf } from '../../../config/policy-of.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { SessionPreview } from '../../../harnesses/preview/preview-session.ts'

/** A row of the list: a harness's session. */
export interface ListRow {
  found: FoundSession
  preview: SessionPreview
  /** The usable window beside the model's answer, in tokens. */
  usable: number
}

export function listRow(
  found: FoundSession,
  preview: SessionPreview,
  configuration: Configuration,
): ListRow {
  const { model, window } = preview
  const facts = { ...(model !== undefined && { model }), ...(window !== undefined && { window }) }
  const choice = chooseWindow(undefined, facts, configuration)
  return { found, preview, usable: usableOf(choice.window, policyOf(configuration, model)) }
}
