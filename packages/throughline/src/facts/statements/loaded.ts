import { noteStatement } from './note-statements.ts'
import { isProse } from './prose.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'

const INSTRUCTIONS =
  /AGENTS\.md|CLAUDE\.md|GEMINI\.md|QWEN\.md|copilot-instructions|\.cursorrules|<INSTRUCTIONS>|<user_instructions>|SKILL\.md|Base directory for this skill|<skill[ >-]/

/** What a client says about itself in every session, and will say again when the session continues. */
const OF_CLIENT = [
  'permissions instructions',
  'app-context',
  'collaboration_mode',
  'apps_instructions',
  'skills_instructions',
  'plugins_instructions',
  'environment_context',
]

function withoutClient(text: string): string {
  let rest = text
  for (const name of OF_CLIENT) {
    const start = rest.indexOf(`<${name}>`)
    const end = start < 0 ? -1 : rest.indexOf(`</${name}>`, start)
    if (end >= 0) rest = `${rest.slice(0, start)}${rest.slice(end + name.length + 3)}`
  }
  return rest
}

/** The name of a loaded skill: in its element, or as its directory. */
const SKILL =
  /^\s{0,8}<skill[\w-]{0,20} name="([^"\n]{1,80})"|^Base directory for this skill: \S{0,400}?[/\\]([\w.@-]{1,80})[/\\]?\s{0,4}$/m

/** A harness's message that hands over instructions: of the project, of the user, or of a skill. */
export function noteLoaded(facts: FactsState, message: string, seq: Seq): void {
  if (!INSTRUCTIONS.test(message.slice(0, 20_000))) return
  const text = withoutClient(message)
  const named = INSTRUCTIONS.exec(text.slice(0, 20_000))?.[0]
  if (named === undefined || !isProse(text)) return
  const skill = SKILL.exec(text.slice(0, 4_000))
  const file = /^[\w.-]+\.md$/.test(named) ? named : `message ${seq}`
  noteStatement(facts, {
    text,
    seq,
    source: 'instructions',
    about: skill?.[1] ?? skill?.[2] ?? file,
  })
}
