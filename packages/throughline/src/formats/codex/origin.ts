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
  const request = editorRequest(text)
  if (request !== undefined) return apart(text, request)
  return takeOffWrapped(text, wrappers).map((stretch) => ({
    origin: stretch.wrapped || isHarnessText(stretch.text) ? 'harness' : 'human',
    part: { type: 'text', text: stretch.text },
  }))
}

/** What an editor's extension puts in front of what the human typed begins so. */
const editorStarts: readonly string[] = ['# Context from my IDE setup:']

const requestHeading = '## My request for Codex:'

/**
 * Where the human's words begin in what an editor's extension sent: behind the last such heading,
 * for a selected text may hold one too; at the end where there is none. `undefined` if no
 * extension sent it.
 */
function editorRequest(text: string): number | undefined {
  const start = text.slice(0, 200).trimStart()
  if (!editorStarts.some((sign) => start.startsWith(sign))) return undefined
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf(`\n${requestHeading}`, at - 1)
    if (at < 0) break
    const behind = at + 1 + requestHeading.length
    const next = text[behind]
    if (next === undefined || next === '\n' || next === '\r') return behind
  }
  return text.length
}

function apart(text: string, at: number): OriginPart[] {
  const said = text.slice(at).trim()
  const harness = { origin: 'harness', part: { type: 'text', text: text.slice(0, at) } } as const
  if (said === '') return [harness]
  return [harness, { origin: 'human', part: { type: 'text', text: said } }]
}

function isHarnessText(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return harnessStarts.some((sign) => start.startsWith(sign))
}

export function isInterruption({ message }: MessageDraft): boolean {
  const { content } = message
  return typeof content === 'string' && content.trimStart().startsWith('<turn_aborted>')
}
