import { takeOffWrapped } from '../conversation/wrapped.ts'
import { userParts as geminiParts } from '../gemini-cli/user-parts.ts'
import type { Fields } from '../../json/fields.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What Qwen Code writes in the user's role begins with one of these. */
const harnessStarts: readonly string[] = [
  '<state_snapshot>',
  '<task-notification>',
  'Recently accessed file (',
]

/** The message by which it continues by itself when the model seems to have more to say. */
const goesOn = 'Please continue.'

/** Elements that it adds before or after what the human typed. */
const wrappers: readonly string[] = [
  'system-reminder',
  'qwen:user-prompt-submit-context',
  'qwen:session-start-context',
]

/** A user's message as the model saw it, and who really made each part of it. */
export function userParts(content: unknown): OriginPart[] {
  return geminiParts(content, textParts)
}

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

function textParts(text: string): OriginPart[] {
  if (text === '') return []
  const start = text.slice(0, 200).trimStart()
  if (text.trim() === goesOn || harnessStarts.some((sign) => start.startsWith(sign))) {
    return [{ origin: 'harness', part: { type: 'text', text } }]
  }
  return takeOffWrapped(text, wrappers).map((stretch) => ({
    origin: stretch.wrapped ? 'harness' : 'human',
    part: { type: 'text', text: stretch.text },
  }))
}
