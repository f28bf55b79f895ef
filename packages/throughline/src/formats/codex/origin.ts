import { takeOffWrapped } from '../conversation/wrapped.ts'
import type { MessageDraft } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What Codex writes in the user's role begins with one of these. */
const harnessStarts: readonly string[] = [
  '<environment_context>',
  '<user_instructions>',
  '<INSTRUCTIONS>',
  '# AGENTS.md instructions',
  '<turn_aborted>',
  '<subagent_notification>',
  '<skill>',
  '<user_shell_command>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<model_switch>',
  '<hook_prompt',
  '<goal_context>',
  'Another language model started to solve this problem',
  'Warning: apply_patch was requested via',
  'Warning: The maximum number of unified exec processes',
]

const wrappers: readonly string[] = ['environment_context', 'user_instructions', 'turn_aborted']

/** A user's text, divided into what the human said and what the harness added. */
export function textParts(text: string, harness: boolean): OriginPart[] {
  if (text === '') return []
  if (harness || isHarnessText(text)) return [{ origin: 'harness', part: { type: 'text', text } }]
  return takeOffWrapped(text, wrappers).map((stretch) => ({
    origin: stretch.wrapped || isHarnessText(stretch.text) ? 'harness' : 'human',
    part: { type: 'text', text: stretch.text },
  }))
}

function isHarnessText(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return harnessStarts.some((sign) => start.startsWith(sign))
}

export function isInterruption({ message }: MessageDraft): boolean {
  const { content } = message
  return typeof content === 'string' && content.trimStart().startsWith('<turn_aborted>')
}
