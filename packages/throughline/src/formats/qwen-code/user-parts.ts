import type { Fields } from '../../json/fields.ts'

export { userParts } from '../gemini-cli/user-parts.ts'

/** Whether the harness, not the human, made this user record. */
export function isHarnessRecord({ subtype, provenance }: Fields): boolean {
  return harnessKinds.has(subtype) || harnessKinds.has(provenance)
}

const harnessKinds: ReadonlySet<unknown> = new Set([
  'system',
  'notification',
  'cron',
  'goal_control',
  'goal_runtime',
])
